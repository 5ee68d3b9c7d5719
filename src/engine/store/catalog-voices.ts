import { type HubFile, hubFile } from "./catalog-models.ts";
import type { CatalogModel, Source } from "./catalog-row.ts";

/** Where the archives of voices are; its `checksum.txt` is made anew every day. */
const RELEASE = "https://github.com/k2-fsa/sherpa-onnx/releases/download/tts-models";

const SUPERTONIC_LANGUAGES =
  "en ko ja ar bg cs da de el es et fi fr hi hr hu id it lt lv nl pl pt ro ru sk sl sv tr uk vi".split(" ");

const SUPERTONIC_FILES: readonly HubFile[] = [
  ["duration_predictor.int8.onnx", 3_700_147, "c3eb91414d5ff8a7a239b7fe9e34e7e2bf8a8140d8375ffb14718b1c639325db"],
  ["text_encoder.int8.onnx", 36_416_150, "c7befd5ea8c3119769e8a6c1486c4edc6a3bc8365c67621c881bbb774b9902ff"],
  ["vector_estimator.int8.onnx", 78_400_833, "20cd86fa5c6effedfda0e7cffe5b0569ca401c440a0c3a1d72bf39286c0db3fd"],
  ["vocoder.int8.onnx", 25_991_073, "e923d60f53f95eb1ce235f1dc33ec56d9c057823c96fa6f8acf98f32b0da6152"],
  ["tts.json", 8_253, "42078d3aef1cd43ab43021f3c54f47d2d75ceb4e75f627f118890128b06a0d09"],
  ["unicode_indexer.bin", 262_144, "8402ca48e5189a8950138580b0fff64db6f072f24ac07cd54ba8b2fbb9883b30"],
  ["voice.bin", 517_168, "67d5209b0ee8ce6c74105ffbe12fe6a7628aea3b4ba2fcb308a4a67938a93ce8"],
];

const SUPERTONIC: CatalogModel = {
  id: "supertonic-3",
  title: "Supertonic 3",
  kind: "voice",
  form: "supertonic",
  languages: SUPERTONIC_LANGUAGES,
  voices: 10,
  licence: {
    name: "OpenRAIL-M",
    url: "https://huggingface.co/Supertone/supertonic-3/blob/main/LICENSE",
    has_terms: true,
  },
  samples: "https://huggingface.co/Supertone/supertonic-3",
  memoryBytes: 500_000_000,
  installedBytes: SUPERTONIC_FILES.reduce((sum, [, bytes]) => sum + bytes, 0),
  sources: SUPERTONIC_FILES.map((file) =>
    hubFile(
      "csukuangfj2/sherpa-onnx-supertonic-3-tts-int8-2026-05-11",
      "cca5a0e6c96e1d2c720986bf7e75fcc81dee3ae4",
      file,
    ),
  ),
  files: {
    duration_predictor: "duration_predictor.int8.onnx",
    text_encoder: "text_encoder.int8.onnx",
    vector_estimator: "vector_estimator.int8.onnx",
    vocoder: "vocoder.int8.onnx",
    tts_json: "tts.json",
    unicode_indexer: "unicode_indexer.bin",
    voice_style: "voice.bin",
  },
  remark: "The usual choice.",
};

/**
 * Kokoro v1.0 in full precision. Its small form (int8) gives silence for some short sentences by public reports, version
 * 0.19 has 11 voices, and version 1.1 three that are English.
 */
const KOKORO: CatalogModel = {
  id: "kokoro-en",
  title: "Kokoro",
  kind: "voice",
  form: "kokoro",
  languages: ["en-US", "en-GB"],
  voices: 28,
  licence: { name: "Apache-2.0", url: "https://huggingface.co/hexgrad/Kokoro-82M", has_terms: false },
  samples: "https://huggingface.co/hexgrad/Kokoro-82M",
  memoryBytes: 900_000_000,
  installedBytes: 375_000_000,
  sources: [
    {
      url: `${RELEASE}/kokoro-multi-lang-v1_0.tar.bz2`,
      bytes: 349_906_910,
      sha256: "c5f7e2d2caf082bc1d20fb70334a61d99d20b484500aad32e7cf84c128ea3298",
      into: "",
      // What Chinese takes stays out.
      archive: {
        kind: "tar.bz2",
        strip: 1,
        mostBytes: 800_000_000,
        keep: /^(?:model\.onnx|voices\.bin|tokens\.txt|lexicon-(?:us|gb)-en\.txt|LICENSE|README\.md|espeak-ng-data\/.+)$/,
      },
    },
  ],
  files: {
    model: "model.onnx",
    voices: "voices.bin",
    tokens: "tokens.txt",
    data_dir: "espeak-ng-data",
    lexicon: "lexicon-us-en.txt",
    lexicon_gb: "lexicon-gb-en.txt",
  },
  remark: "The best of the small ones for English.",
};

/** A voice of Piper for a language that Supertonic lacks. */
interface PiperVoice {
  /** BCP-47 language. */
  readonly language: string;
  /** English name of the language. */
  readonly name: string;
  /** Locale, name and quality as Piper writes them, such as `ca_ES-upc_ona-medium`. */
  readonly voice: string;
  readonly voices?: number;
  /** Mebibytes of its archive, as the release shows them. */
  readonly megabytes: number;
  readonly archive?: Pick<Source, "bytes" | "sha256">;
  /** Name of its licence where a source says one; default: its model card is to be read. */
  readonly licence?: string;
  /** What its model card or its recordings are said to forbid. */
  readonly limits?: string;
}

/** Of most no digest was found where two sources agree: the release's own list says it before each download. */
const PIPER_VOICES: readonly PiperVoice[] = [
  { language: "ca", name: "Catalan", voice: "ca_ES-upc_ona-medium", megabytes: 64.1 },
  { language: "cy", name: "Welsh", voice: "cy_GB-gwryw_gogleddol-medium", megabytes: 64.1 },
  { language: "fa", name: "Persian", voice: "fa_IR-amir-medium", megabytes: 64.1 },
  { language: "is", name: "Icelandic", voice: "is_IS-salka-medium", megabytes: 64.2, licence: "CC-BY-4.0" },
  {
    language: "ka",
    name: "Georgian",
    voice: "ka_GE-natia-medium",
    megabytes: 64.1,
    limits: "not for commercial products",
  },
  { language: "kk", name: "Kazakh", voice: "kk_KZ-issai-high", megabytes: 123, voices: 6 },
  { language: "ne", name: "Nepali", voice: "ne_NP-google-medium", megabytes: 76.6, voices: 18 },
  { language: "no", name: "Norwegian", voice: "no_NO-talesyntese-medium", megabytes: 64.1 },
  {
    language: "sr",
    name: "Serbian",
    voice: "sr_RS-serbski_institut-medium",
    megabytes: 76.6,
    voices: 2,
    limits: "not for commercial work",
  },
  { language: "sw", name: "Swahili", voice: "sw_CD-lanfrica-medium", megabytes: 64.1, limits: "no licence is stated" },
  {
    language: "zh",
    name: "Chinese",
    voice: "zh_CN-huayan-medium",
    megabytes: 64.1,
    archive: {
      bytes: 67_255_926,
      sha256: "dbdfec42b91d9cee31cce9ff4b3e9c305eb6fbf60546d071f7e46273554cce6b",
    },
    limits: "no licence is stated",
  },
];

function piper({ language, name, voice, voices = 1, megabytes, archive, licence, limits }: PiperVoice): CatalogModel {
  const [locale = "", speaker = "", quality = ""] = voice.split("-");
  const bytes = archive?.bytes ?? Math.round(megabytes * 1_048_576);
  return {
    id: `piper-${language}`,
    title: `Piper, ${name}`,
    kind: "voice",
    form: "piper",
    languages: [language],
    voices,
    licence: {
      name: licence ?? "see its model card",
      url: `https://huggingface.co/rhasspy/piper-voices/blob/main/${language}/${locale}/${speaker}/${quality}/MODEL_CARD`,
      has_terms: limits !== undefined,
    },
    samples: "https://rhasspy.github.io/piper-samples",
    memoryBytes: 300_000_000,
    installedBytes: Math.round(bytes * 1.3),
    sources: [
      {
        url: `${RELEASE}/vits-piper-${voice}.tar.bz2`,
        bytes,
        sha256: archive?.sha256 ?? null,
        ...(archive === undefined ? { checksums: `${RELEASE}/checksum.txt` } : {}),
        into: "",
        archive: { kind: "tar.bz2", strip: 1, mostBytes: 400_000_000 },
      },
    ],
    files: { model: /^[^/]+\.onnx$/, tokens: "tokens.txt", data_dir: "espeak-ng-data" },
    remark: limits === undefined ? "" : `${limits.slice(0, 1).toUpperCase()}${limits.slice(1)}.`,
  };
}

/** Natural voices, the default first. */
export const VOICES: readonly CatalogModel[] = [SUPERTONIC, KOKORO, ...PIPER_VOICES.map(piper)];
