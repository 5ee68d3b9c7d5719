import type { AudioTrack, Marker, premierepro } from "@adobe/premierepro";
import type { Probe } from "../host-error.ts";
import type { PresetSource } from "../preset-files.ts";
import { hasEncoder } from "./encoder-queue.ts";
import { activeSequence, openSequence } from "./open-sequence.ts";
import { readFacts, readSnapshot } from "./read-snapshot.ts";

/** What the running Premiere answers to the open questions about it (`premiere-uxp.md` 8). It is only read. */
export function premiereProbes(premiere: premierepro, presets: PresetSource): Probe[] {
  const active = () => activeSequence(premiere);
  const opened = async () => (await openSequence(premiere, await active())).sequence;
  const firstMarker = async (): Promise<Marker | undefined> => {
    const markers = await premiere.Markers.getMarkers(await opened());
    return markers.getMarkers()[0];
  };
  return [
    {
      name: "Sequence identity",
      code: "src/host/premiere/open-sequence.ts",
      run: async () => `${(await active()).sequenceId.length} characters`,
    },
    {
      name: "Sequence facts",
      code: "src/host/premiere/read-snapshot.ts",
      run: async () => {
        const { ticksPerFrame, zeroPoint, inPoint, outPoint, isCountingKnown } = await readFacts(
          premiere,
          await active(),
        );
        const points = `in ${inPoint ?? "unset"}, out ${outPoint ?? "unset"}`;
        return `${ticksPerFrame} ticks per frame, zero point ${zeroPoint}, ${points}, counting known: ${isCountingKnown}`;
      },
    },
    {
      name: "Time display",
      code: "src/host/premiere/read-snapshot.ts",
      run: async () => {
        const { type } = await (await opened()).getSequenceVideoTimeDisplayFormat();
        return `type ${type}; own constants ${listed(premiere.Constants.VideoDisplayFormatType)}`;
      },
    },
    {
      name: "Timeline",
      code: "src/host/premiere/read-snapshot.ts",
      run: async () => {
        const { videoTracks, audioTracks, markers } = await readSnapshot(premiere, await active());
        const tracks = [...videoTracks, ...audioTracks];
        const clips = tracks.flatMap((track) => track.clips);
        const refused = [...new Set(clips.flatMap((clip) => clip.refused))];
        const untold = refused.length === 0 ? "" : `; not told of some clips: ${refused.join(", ")}`;
        return `${tracks.length} tracks, ${clips.length} clips, ${markers.length} markers${untold}`;
      },
    },
    {
      name: "Marker identity",
      code: "src/host/premiere/read-snapshot.ts src/workflow/place/read-back.ts",
      run: async () => {
        const marker = await firstMarker();
        if (marker === undefined) return "no marker to look at: add one, then ask again";
        // Before 26.3 there is none, whatever the declarations say.
        const guid: { toString(): string } | undefined = marker.guid;
        return guid === undefined ? "none" : `${guid.toString().length} characters`;
      },
    },
    {
      name: "Marker type and colour",
      code: "src/host/premiere/snapshot.ts",
      run: async () => {
        const marker = await firstMarker();
        const seen = marker === undefined ? "no marker" : `${marker.getType()}, colour ${marker.getColorIndex()}`;
        const { MARKER_TYPE_COMMENT } = premiere.Marker;
        return `${seen}; comment is ${MARKER_TYPE_COMMENT}; colours ${listed(premiere.Constants.MarkerColor)}`;
      },
    },
    {
      name: "Track naming",
      code: "src/host/premiere/new-audio-track.ts",
      run: async () => {
        const track: AudioTrack | null = await (await opened()).getAudioTrack(0);
        return track === null ? "no audio track" : "createSetNameAction" in track ? "there" : "missing";
      },
    },
    {
      name: "Transcripts",
      code: "src/host/premiere/transcript.ts",
      run: async () => ("hasTranscript" in premiere.Transcript ? "there" : "missing"),
    },
    {
      name: "Export presets",
      code: "src/host/premiere/presets.ts src/host/uxp/preset-files.ts",
      run: async () => {
        const found = await Promise.all(
          (await presets.list()).map(async ({ origin, path }) => {
            const sequence = await opened();
            const ending = await premiere.EncoderManager.getExportFileExtension(sequence, path).catch(
              () => "unreadable",
            );
            return `${origin}: ${ending}`;
          }),
        );
        return found.length === 0 ? "none" : found.join(", ");
      },
    },
    {
      name: "Media Encoder",
      code: "src/host/premiere/encoder-queue.ts",
      run: async () => ((await hasEncoder(premiere)) ? "installed" : "not installed"),
    },
  ];
}

function listed(constants: object): string {
  return Object.entries(constants)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}
