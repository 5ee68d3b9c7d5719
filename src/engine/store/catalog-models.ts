import type { CatalogModel, Source } from "./catalog-row.ts";

const APACHE = (url: string) => ({ name: "Apache-2.0", url, has_terms: false });

/** A file of a repository of Hugging Face at one revision, so that nobody can put another one in its place. */
export function hubFile(repository: string, revision: string, [name, bytes, sha256]: HubFile): Source {
  return { url: `https://huggingface.co/${repository}/resolve/${revision}/${name}`, bytes, sha256, into: name };
}

/** Name, bytes and SHA-256 of a file in a repository. */
export type HubFile = readonly [name: string, bytes: number, sha256: string];

/** Qwen3-VL of one size, as its makers publish it for llama.cpp. */
function qwen(
  size: string,
  revision: string,
  files: readonly [model: HubFile, projector: HubFile],
  rest: Pick<CatalogModel, "memoryBytes" | "remark">,
): CatalogModel {
  const repository = `Qwen/Qwen3-VL-${size}-Instruct-GGUF`;
  const [model, projector] = files;
  return {
    id: `qwen3-vl-${size.toLowerCase()}`,
    title: `Qwen3-VL ${size}`,
    kind: "eyes",
    form: "qwen-vl",
    languages: [],
    voices: 0,
    licence: APACHE(`https://huggingface.co/${repository}`),
    installedBytes: model[1] + projector[1],
    sources: files.map((file) => hubFile(repository, revision, file)),
    files: { model: model[0], projector: projector[0] },
    ...rest,
  };
}

/** Models that see, the default first. */
export const EYES: readonly CatalogModel[] = [
  qwen(
    "4B",
    "1cd86afb9a95c410a6038ab3b40d8b578c892266",
    [
      [
        "Qwen3VL-4B-Instruct-Q4_K_M.gguf",
        2_497_281_664,
        "66358cb18bb6b3b1b6675aa412c7a88ef01d228f481184d13668e5201c730a0a",
      ],
      [
        "mmproj-Qwen3VL-4B-Instruct-Q8_0.gguf",
        453_974_304,
        "30ba2c7dd3127a4561b6cba9d13d0f711c91bdb38742e2f56d73c8cb596bd06d",
      ],
    ],
    {
      memoryBytes: 4_700_000_000,
      remark: "The usual choice, for 8 GB of memory and a graphics card.",
    },
  ),
  qwen(
    "2B",
    "52d6c8ffea26cc873ac5ad116f8631268d7eb503",
    [
      [
        "Qwen3VL-2B-Instruct-Q4_K_M.gguf",
        1_107_409_952,
        "089d75c52f4b7ffc56ba998ffc50aae89fcafc755f9e7208aacca281dca6c2ae",
      ],
      [
        "mmproj-Qwen3VL-2B-Instruct-Q8_0.gguf",
        445_053_216,
        "f9a68fabba69c3b81e153367b2c7521030b0fa8bb0de400c9599c8e6725f9c82",
      ],
    ],
    { memoryBytes: 3_000_000_000, remark: "For small computers; makes more mistakes." },
  ),
  qwen(
    "8B",
    "f982a07559d4a2f6c8744d840bf6fccab30eea96",
    [
      [
        "Qwen3VL-8B-Instruct-Q4_K_M.gguf",
        5_027_784_800,
        "67d1659bfe71b89d50b45a4ad1a9e5b997e5bb16ce5da66a6a6167abd569e9e2",
      ],
      [
        "mmproj-Qwen3VL-8B-Instruct-Q8_0.gguf",
        752_289_728,
        "c6ba85508d82f42590e6eb77d5340369ab6fecf107a7561d809523d8aa5f3bfd",
      ],
    ],
    { memoryBytes: 7_800_000_000, remark: "Better, for 16 GB of memory and a good graphics card." },
  ),
];

/** Languages of Parakeet v3. */
const PARAKEET_LANGUAGES = "bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro sk sl es sv ru uk".split(" ");

/** Languages of Whisper's models for many languages. */
const WHISPER_LANGUAGES =
  "en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su".split(
    " ",
  );

/** Every size of Whisper has the same tokens. */
const WHISPER_TOKENS_SHA256 = "b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126";

function whisper(
  size: string,
  revision: string,
  [encoder, decoder]: readonly [encoder: readonly [number, string], decoder: readonly [number, string]],
  rest: Pick<CatalogModel, "memoryBytes" | "remark">,
): CatalogModel {
  const files = {
    encoder: `${size}-encoder.int8.onnx`,
    decoder: `${size}-decoder.int8.onnx`,
    tokens: `${size}-tokens.txt`,
  };
  const rows: readonly HubFile[] = [
    [files.encoder, ...encoder],
    [files.decoder, ...decoder],
    [files.tokens, 816_730, WHISPER_TOKENS_SHA256],
  ];
  return {
    id: `whisper-${size}`,
    title: `Whisper ${size}`,
    kind: "ears",
    form: "whisper",
    languages: WHISPER_LANGUAGES,
    voices: 0,
    licence: { name: "MIT", url: "https://github.com/openai/whisper", has_terms: false },
    installedBytes: rows.reduce((sum, [, bytes]) => sum + bytes, 0),
    sources: rows.map((row) => hubFile(`csukuangfj/sherpa-onnx-whisper-${size}`, revision, row)),
    files,
    ...rest,
  };
}

const PARAKEET_FILES: readonly HubFile[] = [
  ["encoder.int8.onnx", 652_184_281, "acfc2b4456377e15d04f0243af540b7fe7c992f8d898d751cf134c3a55fd2247"],
  ["decoder.int8.onnx", 11_845_275, "179e50c43d1a9de79c8a24149a2f9bac6eb5981823f2a2ed88d655b24248db4e"],
  ["joiner.int8.onnx", 6_355_277, "3164c13fc2821009440d20fcb5fdc78bff28b4db2f8d0f0b329101719c0948b3"],
  ["tokens.txt", 93_939, "d58544679ea4bc6ac563d1f545eb7d474bd6cfa467f0a6e2c1dc1c7d37e3c35d"],
];

/** Models that write down what is said, the default first. File by file: the archives of the same hold more than is needed. */
export const EARS: readonly CatalogModel[] = [
  {
    id: "parakeet-v3",
    title: "Parakeet v3",
    kind: "ears",
    form: "parakeet",
    languages: PARAKEET_LANGUAGES,
    voices: 0,
    licence: {
      name: "CC-BY-4.0",
      url: "https://huggingface.co/nvidia/parakeet-tdt-0.6b-v3",
      has_terms: false,
    },
    memoryBytes: 1_500_000_000,
    installedBytes: PARAKEET_FILES.reduce((sum, [, bytes]) => sum + bytes, 0),
    sources: PARAKEET_FILES.map((file) =>
      hubFile(
        "csukuangfj/sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8",
        "2bda32ec70b097a55adaa07d9a7173915b43cc78",
        file,
      ),
    ),
    files: {
      encoder: "encoder.int8.onnx",
      decoder: "decoder.int8.onnx",
      joiner: "joiner.int8.onnx",
      tokens: "tokens.txt",
    },
    remark: "Quick, and the only one that tells the time of each word.",
  },
  whisper(
    "small",
    "8f3c18b358db4d1f2fc1eae49d75cd20989e4309",
    [
      [112_442_483, "4cbe7b22fa9026b843b60a68640c747de05bafb1a11b57edc0e66c232d9f33a9"],
      [262_226_114, "acad50b5c782696e91b55914cc5ab4f756f1532f76e22aa6fc615f39fb69a8ee"],
    ],
    {
      memoryBytes: 1_500_000_000,
      remark: "The best of the three Whispers, and the slowest.",
    },
  ),
  whisper(
    "base",
    "bb53ee204431c90d314c1cc08d28d23e5b7927cc",
    [
      [29_120_534, "0b8fb1304b6109976038efff5ace81720e00386f3ff6b54ee8c75291ca0a1e11"],
      [130_672_026, "9759d217388a01b3a4c7c15533201067b48ae819c4daafc8624e64b9409dc02d"],
    ],
    { memoryBytes: 850_000_000, remark: "Makes more mistakes." },
  ),
  whisper(
    "tiny",
    "65176e2deb88badc814a94058666cadccc29b61c",
    [
      [12_937_772, "d24fb083ae3b1041fc24e97971d60e280c9342201fbb67b0ab428a8b4a51a434"],
      [89_855_401, "d2fece8dd42771f1df975c6c0445770d0c292bf7547c2cae04a6c0cc57540925"],
    ],
    { memoryBytes: 500_000_000, remark: "For small computers, and rough." },
  ),
];

/** Models that tell kinds of sound. */
export const SOUNDS: readonly CatalogModel[] = [
  {
    id: "ced-mini",
    title: "CED mini",
    kind: "sounds",
    form: "ced",
    languages: [],
    voices: 0,
    licence: APACHE("https://huggingface.co/mispeech/ced-mini"),
    memoryBytes: 300_000_000,
    installedBytes: 12_000_000,
    sources: [
      {
        url: "https://github.com/k2-fsa/sherpa-onnx/releases/download/audio-tagging-models/sherpa-onnx-ced-mini-audio-tagging-2024-04-19.tar.bz2",
        bytes: 47_658_399,
        sha256: "bec8bfa0af2c20ec3a9e7c6dd6c92d0fb6e96d6b25370ebe7a48e7283a60a02c",
        into: "",
        // The same model in full precision and recordings to try it with stay out.
        archive: {
          kind: "tar.bz2",
          strip: 1,
          mostBytes: 300_000_000,
          keep: /^(?:model\.int8\.onnx|class_labels_indices\.csv|LICENSE|README\.md)$/,
        },
      },
    ],
    files: { model: "model.int8.onnx", labels: "class_labels_indices.csv" },
    remark: "So that nobody talks over sung words.",
  },
];
