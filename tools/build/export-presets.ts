// Writes the panel's export presets into panel/presets: `npm run tool -- export-presets`.
//
// Premiere's preset format is not documented. The structure below follows presets that Adobe publishes with its sample
// panels: a head of flags, then a tree of parameters that refer to each other by number. Nobody has exported with these
// two in a Premiere yet, so the panel marks them "unproven" and knows others to fall back to.
import { mkdirSync, writeFileSync } from "node:fs";

/** How a parameter's value is kept: the format's type number, and the class that reads it. */
const KINDS = {
  whole: { type: 2, classId: "9f049ab7-d48f-43e9-a8ca-4d7f21233625" },
  real: { type: 3, classId: "018cf63d-c58d-4d39-97df-36b6b2d6ef88" },
  ticks: { type: 4, classId: "8def7863-204e-4206-8791-54a78f15c66b" },
  ratio: { type: 11, classId: "8d9836e8-d00a-4a00-bfc0-dfbb73540736" },
  flag: { type: 1, classId: "d0f6b8af-8ddb-4381-acf8-3e817480d07d" },
  bytes: { type: 7, classId: "d0f6b8af-8ddb-4381-acf8-3e817480d07d" },
  group: { type: 8, classId: "9f049ab7-d48f-43e9-a8ca-4d7f21233625" },
  root: { type: 10, classId: "9f049ab7-d48f-43e9-a8ca-4d7f21233625" },
} as const;
const CONTAINER_CLASS = "5c20a4a5-5e7c-4032-85b8-26ad4531fe7b";

interface Parameter {
  readonly kind: keyof typeof KINDS;
  readonly identifier: string;
  readonly value: string;
  readonly children: readonly Parameter[];
  /** Follows the sequence, or cannot be chosen. */
  readonly isDisabled?: boolean;
}

interface Preset {
  readonly file: string;
  readonly name: string;
  readonly presetId: string;
  readonly comments: string;
  /** Four-character codes of the exporter and of the file. */
  readonly exporter: string;
  readonly fileType: string;
  readonly hasVideo: boolean;
  readonly tabs: readonly Parameter[];
}

const group = (identifier: string, children: readonly Parameter[]): Parameter => ({
  kind: "group",
  identifier,
  value: "0",
  children,
});
const value = (kind: keyof typeof KINDS, identifier: string, text: string | number, isDisabled = false): Parameter => ({
  kind,
  identifier,
  value: String(text),
  children: [],
  isDisabled,
});

/** Four characters as the number that the format keeps them as. */
const code = (characters: string) => [...characters].reduce((sum, letter) => sum * 256 + letter.charCodeAt(0), 0);

/** Frame rate and field order follow the sequence; the size does not. As in Adobe's own small H.264 preset. */
const MATCHES_RATE_AND_FIELDS = { base64: "BgAAAA==", checksum: 3_096_284_557 };

/** Ticks per frame at 25 fps; stands there for form, since the rate follows the sequence. */
const TICKS_PER_FRAME = 10_160_640_000;

const PRESETS: readonly Preset[] = [
  {
    file: "aside-proxy-h264.epr",
    name: "Aside proxy (H.264, 640 wide)",
    presetId: "6c1f5b62-4f0e-4a52-9d0b-3d6a2f0e8a11",
    comments: "Small picture and sound for describing: 640x360, about 1 Mbit/s",
    exporter: "NICK",
    fileType: "H264",
    hasVideo: true,
    tabs: [
      group("ADBEAudioTabGroup", [
        group("ADBEMPEGAudioFormatGroup", [value("whole", "ADBEMPEGAudioFormat", code("AAC "))]),
        group("ADBEBasicAudioGroup", [
          value("whole", "ADBEAudioCodec", code("AAC ")),
          value("whole", "ADBEAudioRatePerSecond", 48_000),
          value("whole", "ADBEAudioNumChannels", 2),
          value("whole", "ADBEAACAudioQuality", 2),
        ]),
        group("ADBEAudioBitrateGroup", [value("whole", "ADBEAudioBitrate", 128)]),
      ]),
      group("ADBEVideoTabGroup", [
        group("ADBEBasicVideoGroup", [
          value("bytes", "ADBEVideoMatchSource", "false"),
          value("whole", "ADBEVideoWidth", 640),
          value("whole", "ADBEVideoHeight", 360),
          value("ticks", "ADBEVideoFPS", TICKS_PER_FRAME, true),
          value("whole", "ADBEVideoFieldType", 0, true),
          value("ratio", "ADBEVideoAspect", "1,1"),
          value("whole", "ADBEVideoMPEGProfile", 3),
          value("whole", "ADBEVideoMPEGProfileLevel", 42),
          value("flag", "ADBERenderDeepColor", "false"),
        ]),
        group("ADBEVideoBitrateGroup", [
          value("whole", "ADBEVideoBitrateEncoding", 2),
          value("real", "ADBEVideoTargetBitrate", "1."),
          value("real", "ADBEVideoMaxBitrate", "1.5"),
        ]),
        group("ADBEVideoAdvancedSettingsGroup", [value("whole", "ADBEMPEGKeyframeRate", 90)]),
      ]),
      group("ADBEMPEGMuxTabGroup", [
        group("ADBEMPEGMuxBasicSettingsGroup", [
          value("whole", "ADBEMPEGMultiplexer", code("MP4 ")),
          value("whole", "ADBEMPEGMuxStreamCompatibility", code("STD ")),
        ]),
      ]),
    ],
  },
  {
    file: "aside-sound-wav.epr",
    name: "Aside sound (WAV, 48 kHz)",
    presetId: "e0a4b3f7-9a53-4c0d-8d5d-5b1c7e2f4c22",
    comments: "Sound alone: WAV, 48 kHz, 16 bit, stereo",
    exporter: "????",
    fileType: "WAVE",
    hasVideo: false,
    tabs: [
      group("ADBEAudioTabGroup", [
        group("ADBEBasicAudioGroup", [
          value("whole", "ADBEAudioCodec", 0),
          value("whole", "ADBEAudioRatePerSecond", 48_000),
          value("whole", "ADBEAudioNumChannels", 2),
          value("whole", "ADBEAudioSampleType", 1),
        ]),
      ]),
    ],
  },
];

/** The tree as the format wants it: every parameter and every list of children an object with a number. */
function objects(tabs: readonly Parameter[]): string {
  const lines: string[] = [];
  let next = 1;
  const list = (children: readonly Parameter[]): number => {
    const listId = next++;
    const at = lines.length;
    const items = children.map(
      (child, index) => `\t\t\t<ParamContainerItem Index="${index}" ObjectRef="${parameter(child, index)}"/>`,
    );
    lines.splice(
      at,
      0,
      `\t<ExporterParamContainer ObjectID="${listId}" ClassID="${CONTAINER_CLASS}" Version="1">`,
      "\t\t<ContainedParamsVersion>1</ContainedParamsVersion>",
      '\t\t<ParamContainerItems Version="1">',
      ...items,
      "\t\t</ParamContainerItems>",
      "\t</ExporterParamContainer>",
    );
    return listId;
  };
  const parameter = ({ kind, identifier, value: text, children, isDisabled }: Parameter, ordinal: number): number => {
    const id = next++;
    const at = lines.length;
    const childrenId = children.length === 0 ? null : list(children);
    const { base64, checksum } = MATCHES_RATE_AND_FIELDS;
    lines.splice(
      at,
      0,
      `\t<ExporterParam ObjectID="${id}" ClassID="${KINDS[kind].classId}" Version="1">`,
      ...(childrenId === null ? [] : [`\t\t<ExporterChildParams ObjectRef="${childrenId}"/>`]),
      ...(kind === "bytes"
        ? [`\t\t<ParamArbData Encoding="base64" Checksum="${checksum}">${base64}</ParamArbData>`]
        : []),
      `\t\t<ParamIdentifier>${identifier}</ParamIdentifier>`,
      "\t\t<ParamIsHidden>false</ParamIsHidden>",
      `\t\t<ParamIsDisabled>${isDisabled === true}</ParamIsDisabled>`,
      `\t\t<ParamOrdinalValue>${ordinal}</ParamOrdinalValue>`,
      `\t\t<ParamType>${KINDS[kind].type}</ParamType>`,
      `\t\t<ParamValue>${text}</ParamValue>`,
      "\t</ExporterParam>",
    );
    return id;
  };
  list([{ kind: "root", identifier: "0", value: "0", children: tabs }]);
  return lines.join("\n");
}

function presetText(preset: Preset): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<PremiereData Version="3">
	<PresetName>${preset.name}</PresetName>
	<PresetComments>${preset.comments}</PresetComments>
	<PresetUserComments></PresetUserComments>
	<ExporterName></ExporterName>
	<ExporterClassID>${code(preset.exporter)}</ExporterClassID>
	<ExporterFileType>${code(preset.fileType)}</ExporterFileType>
	<ExportParamContainer ObjectRef="1"/>
	<PresetID>${preset.presetId}</PresetID>
	<DoAudio>true</DoAudio>
	<DoVideo>${preset.hasVideo}</DoVideo>
	<DoEmulation>false</DoEmulation>
	<FolderDisplayPath></FolderDisplayPath>
	<StandardFilters Version="1">
		<TimeInterpolationType>0</TimeInterpolationType>
		<CropState>false</CropState>
		<CropRect>0,0,0,0</CropRect>
		<CropType>0</CropType>
		<DeinterlaceState>false</DeinterlaceState>
		<UseMaximumRenderQuality>false</UseMaximumRenderQuality>
		<UsePreview>false</UsePreview>
		<UseFrameBlending>false</UseFrameBlending>
		<CustomStartTime>-101606400000000000</CustomStartTime>
		<RenderAlphaOnly>false</RenderAlphaOnly>
		<UseProxiesForExport>true</UseProxiesForExport>
	</StandardFilters>
	<ExportXMPOptionKey>10</ExportXMPOptionKey>
	<DoEffects>true</DoEffects>
	<DoCaptions>false</DoCaptions>
	<DoMetadata>false</DoMetadata>
${objects(preset.tabs)}
</PremiereData>
`;
}

mkdirSync("panel/presets", { recursive: true });
for (const preset of PRESETS) writeFileSync(`panel/presets/${preset.file}`, presetText(preset));
