import { element, type XmlNode, xmlDocument, xmlNode } from "../xml/write-xml.ts";

/** A channel of a file with an audio definition, as the `chna` chunk lists it (ITU-R BS.2088). */
export interface AdmTrack {
  /** `ATU_` and eight digits. */
  readonly uid: string;
  /** What the channel is: an `audioTrackFormat`. */
  readonly trackFormat: string;
  readonly packFormat: string;
}

/** What a definition tells. */
export interface AdmContents {
  readonly title: string;
  /** BCP-47 code of the narration. */
  readonly language: string;
  /** Channels of the programme, which come first; the narration is the one behind them. */
  readonly programmeChannels: ProgrammeChannels;
  /** Length in seconds. */
  readonly seconds: number;
}

/** Numbers of channels whose places the common definitions name. */
export type ProgrammeChannels = 1 | 2 | 6;

/** Packs of the common definitions (ITU-R BS.2094): mono; left, right; and with centre, effects and two surrounds. */
const PACKS: Readonly<Record<ProgrammeChannels, { readonly id: string; readonly channels: readonly number[] }>> = {
  1: { id: "AP_00010001", channels: [3] },
  2: { id: "AP_00010002", channels: [1, 2] },
  6: { id: "AP_00010003", channels: [1, 2, 3, 4, 5, 6] },
};

/** The description's own pack, of type Objects; its channel, stream and track have the same number. */
const OBJECT = "00031001";

/** Kinds of content (ITU-R BS.2076-2, `dialogue`): mixed, a complete main; and dialogue, an audio description. */
const COMPLETE_MAIN = { attributes: { mixedContentKind: "1" }, content: "2" };
const AUDIO_DESCRIPTION = { attributes: { dialogueContentKind: "4" }, content: "1" };

/** Whether the common definitions name the places of so many channels. */
export function hasProgrammePack(channels: number): channels is ProgrammeChannels {
  return channels in PACKS;
}

/** The channels of a file: the programme's, then the narration. */
export function admTracks({ programmeChannels }: Pick<AdmContents, "programmeChannels">): AdmTrack[] {
  const { id, channels } = PACKS[programmeChannels];
  const formats = [
    ...channels.map((channel) => [`AT_0001000${channel}_01`, id] as const),
    [`AT_${OBJECT}_01`, `AP_${OBJECT}`] as const,
  ];
  return formats.map(([trackFormat, packFormat], index) => ({
    uid: `ATU_${String(index + 1).padStart(8, "0")}`,
    trackFormat,
    packFormat,
  }));
}

/**
 * Writes an audio definition (ITU-R BS.2076-2) of a programme with an audio description: two programmes to choose from, one with
 * and one without the description, which is an object of its own in front of the listener. The programme's level is as it is in
 * the file: the definition does not lower it.
 */
export function writeAdm(contents: AdmContents): string {
  const { title, language, programmeChannels, seconds } = contents;
  const tracks = admTracks(contents);
  const [main, described] = [tracks.slice(0, -1), tracks.slice(-1)];
  const span = { start: timeOf(0), end: timeOf(seconds) };
  const definition = element("audioFormatExtended", { version: "ITU-R_BS.2076-2" }, [
    programme("APR_1001", title, span, ["ACO_1001"]),
    programme("APR_1002", `${title}, with audio description`, { audioProgrammeLanguage: language, ...span }, [
      "ACO_1001",
      "ACO_1002",
    ]),
    content("ACO_1001", "Programme", {}, "AO_1001", COMPLETE_MAIN),
    content("ACO_1002", "Audio description", { audioContentLanguage: language }, "AO_1002", AUDIO_DESCRIPTION),
    object("AO_1001", "Programme", span.end, PACKS[programmeChannels].id, main),
    object("AO_1002", "Audio description", span.end, `AP_${OBJECT}`, described),
    ...descriptionFormats(),
    ...tracks.map(({ uid, trackFormat, packFormat }) =>
      element("audioTrackUID", { UID: uid, sampleRate: "48000", bitDepth: "24" }, [
        xmlNode("audioTrackFormatIDRef", trackFormat),
        xmlNode("audioPackFormatIDRef", packFormat),
      ]),
    ),
  ]);
  const document = element("ebuCoreMain", { xmlns: "urn:ebu:metadata-schema:ebucore" }, [
    xmlNode("coreMetadata", [xmlNode("format", [definition])]),
  ]);
  return xmlDocument(document);
}

function programme(
  id: string,
  name: string,
  attributes: Readonly<Record<string, string>>,
  contents: readonly string[],
): XmlNode {
  return element(
    "audioProgramme",
    { audioProgrammeID: id, audioProgrammeName: name, ...attributes },
    contents.map((one) => xmlNode("audioContentIDRef", one)),
  );
}

function content(
  id: string,
  name: string,
  attributes: Readonly<Record<string, string>>,
  objectId: string,
  kind: Pick<XmlNode, "attributes" | "content">,
): XmlNode {
  return element("audioContent", { audioContentID: id, audioContentName: name, ...attributes }, [
    xmlNode("audioObjectIDRef", objectId),
    { name: "dialogue", ...kind },
  ]);
}

function object(id: string, name: string, duration: string, pack: string, tracks: readonly AdmTrack[]): XmlNode {
  return element("audioObject", { audioObjectID: id, audioObjectName: name, start: timeOf(0), duration }, [
    xmlNode("audioPackFormatIDRef", pack),
    ...tracks.map(({ uid }) => xmlNode("audioTrackUIDRef", uid)),
  ]);
}

/** Pack, channel, stream and track of the description: one place, straight ahead, all the while. */
function descriptionFormats(): XmlNode[] {
  const name = "Audio description";
  const objects = { typeLabel: "0003", typeDefinition: "Objects" };
  const pcm = { formatLabel: "0001", formatDefinition: "PCM" };
  const position = (coordinate: string, value: string): XmlNode => element("position", { coordinate }, value);
  return [
    element("audioPackFormat", { audioPackFormatID: `AP_${OBJECT}`, audioPackFormatName: name, ...objects }, [
      xmlNode("audioChannelFormatIDRef", `AC_${OBJECT}`),
    ]),
    element("audioChannelFormat", { audioChannelFormatID: `AC_${OBJECT}`, audioChannelFormatName: name, ...objects }, [
      element("audioBlockFormat", { audioBlockFormatID: `AB_${OBJECT}_00000001` }, [
        position("azimuth", "0.0"),
        position("elevation", "0.0"),
        position("distance", "1.0"),
      ]),
    ]),
    element("audioStreamFormat", { audioStreamFormatID: `AS_${OBJECT}`, audioStreamFormatName: name, ...pcm }, [
      xmlNode("audioChannelFormatIDRef", `AC_${OBJECT}`),
      xmlNode("audioTrackFormatIDRef", `AT_${OBJECT}_01`),
    ]),
    element("audioTrackFormat", { audioTrackFormatID: `AT_${OBJECT}_01`, audioTrackFormatName: name, ...pcm }, [
      xmlNode("audioStreamFormatIDRef", `AS_${OBJECT}`),
    ]),
  ];
}

/** `hh:mm:ss.zzzzz`, as BS.2076 writes times. */
function timeOf(seconds: number): string {
  const steps = Math.round(seconds * 100_000);
  const two = (value: number) => String(value).padStart(2, "0");
  const whole = Math.floor(steps / 100_000);
  const fraction = String(steps % 100_000).padStart(5, "0");
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}.${fraction}`;
}
