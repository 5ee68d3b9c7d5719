import type { CatalogModel, Source, System } from "./catalog-row.ts";

/** Which engine runs a model. */
export function engineOf({ kind }: Pick<CatalogModel, "kind">): "llama-server" | "sherpa-onnx" {
  return kind === "eyes" ? "llama-server" : "sherpa-onnx";
}

const SPEECH_VERSION = "1.13.8";

/** Tarballs of the speech library's packages as the npm registry has them: bytes and SHA-256, taken from the tarballs themselves. */
const SPEECH_PACKAGES: Readonly<Record<string, { readonly bytes: number; readonly sha256: string }>> = {
  "sherpa-onnx-node": {
    bytes: 11_954,
    sha256: "db2a7b8b18d950b6e9ca5c1c919afec33fd3dd2bfef1aade0bea5a9fe7a1f0f1",
  },
  "sherpa-onnx-darwin-arm64": {
    bytes: 10_047_754,
    sha256: "e1abc1d9676478996574de922e55714d80b4500b860bc4e7349aa01cd0ea4929",
  },
  "sherpa-onnx-darwin-x64": {
    bytes: 11_191_481,
    sha256: "3e583d3423160cb8a0f9316008e293ad9a6b66c63e1966ad399a88300390fbaa",
  },
  "sherpa-onnx-linux-arm64": {
    bytes: 13_910_679,
    sha256: "e1671ad6e94e51947229a5736d06022780f3fba967da8d917173cd9765902ee8",
  },
  "sherpa-onnx-linux-x64": {
    bytes: 11_089_653,
    sha256: "13291bcd825da5858ca27a35443e9a2c229a40616c0910086de2db12c5c9312c",
  },
  "sherpa-onnx-win-x64": {
    bytes: 8_894_875,
    sha256: "fe522f02a5c113c2567a43982107ef41ae517f9a431931e90731e7e4d4341073",
  },
};

/** The speech library's package of a system, by Node's names; it has none for others. */
const SPEECH_SYSTEMS: Readonly<Record<string, string>> = {
  "darwin-arm64": "sherpa-onnx-darwin-arm64",
  "darwin-x64": "sherpa-onnx-darwin-x64",
  "linux-arm64": "sherpa-onnx-linux-arm64",
  "linux-x64": "sherpa-onnx-linux-x64",
  "win32-x64": "sherpa-onnx-win-x64",
};

function speechPackage(name: string): Source {
  const { bytes, sha256 } = SPEECH_PACKAGES[name] ?? { bytes: 0, sha256: null };
  return {
    url: `https://registry.npmjs.org/${name}/-/${name}-${SPEECH_VERSION}.tgz`,
    bytes,
    sha256,
    // Side by side, where Node and the library itself look for them.
    into: `node_modules/${name}`,
    archive: { kind: "tar.gz", strip: 1, mostBytes: 100_000_000 },
  };
}

const SERVER_BUILD = "b11194";

/** Release assets of llama.cpp's build: bytes and SHA-256 as GitHub publishes them. With graphics is the one for any card. */
const SERVER_ASSETS: Readonly<Record<string, readonly [asset: string, bytes: number, sha256: string]>> = {
  "darwin-arm64": [
    "macos-arm64.tar.gz",
    11_767_333,
    "cc5d31e048c1c440149a0aaf25a6e387823511c0f23561ec534a4ec07c14e9e1",
  ],
  "darwin-x64": ["macos-x64.tar.gz", 11_250_068, "fe9b6c1a2856647303b31401b89e9aab320416706c358c3ce4beb71d21b1f37a"],
  "win32-x64": ["win-cpu-x64.zip", 18_579_455, "a508189eb974891c6d665b00d7e1eb5f38adc98345ef1f4815d158dabe188edb"],
  "win32-x64 graphics": [
    "win-vulkan-x64.zip",
    32_469_369,
    "2ba6c1f42f571c5e7d309aeae1052b846794003eca4c332b0ce5498b5bcd7305",
  ],
  "win32-arm64": ["win-cpu-arm64.zip", 12_051_155, "ce9602bae7616831ec3863df7d509fb160183c4a784f98345086723b353d9beb"],
  "linux-x64": ["ubuntu-x64.tar.gz", 17_014_362, "527c09064f3c89e4b6e1008a641e31903a04ccdd1c69abd0752acbbd4e1905f6"],
  "linux-x64 graphics": [
    "ubuntu-vulkan-x64.tar.gz",
    30_955_864,
    "e4f8163eaf2e4d45639238a6fbc09f559e4ff5c0e7d612088a282ed128359c5e",
  ],
  "linux-arm64": [
    "ubuntu-arm64.tar.gz",
    13_608_309,
    "92a8e5bb9f2f16804715fa6876f64691827a54d41d39dca67e2a83aa70f133ce",
  ],
};

/** An engine as it is made for a computer; `null` where it is made for none of its kind. */
export function engineFor(
  form: "llama-server" | "sherpa-onnx",
  { platform, architecture, hasGraphics }: System,
): CatalogModel | null {
  const system = `${platform}-${architecture}`;
  const common = { id: form, form, kind: "engine" as const, languages: [], voices: 0, memoryBytes: 200_000_000 };
  if (form === "sherpa-onnx") {
    const own = SPEECH_SYSTEMS[system];
    if (own === undefined) return null;
    return {
      ...common,
      title: "sherpa-onnx",
      licence: { name: "Apache-2.0", url: "https://github.com/k2-fsa/sherpa-onnx", has_terms: false },
      installedBytes: 45_000_000,
      sources: [speechPackage("sherpa-onnx-node"), speechPackage(own)],
      files: { module: "node_modules/sherpa-onnx-node/sherpa-onnx.js" },
      remark: "Runs voices and transcription.",
    };
  }
  const found = (hasGraphics ? SERVER_ASSETS[`${system} graphics`] : undefined) ?? SERVER_ASSETS[system];
  if (found === undefined) return null;
  const [asset, bytes, sha256] = found;
  return {
    ...common,
    title: "llama.cpp",
    licence: { name: "MIT", url: "https://github.com/ggml-org/llama.cpp", has_terms: false },
    installedBytes: 4 * bytes,
    sources: [
      {
        url: `https://github.com/ggml-org/llama.cpp/releases/download/${SERVER_BUILD}/llama-${SERVER_BUILD}-bin-${asset}`,
        bytes,
        sha256,
        into: "",
        archive: { kind: asset.endsWith(".zip") ? "zip" : "tar.gz", strip: 0, mostBytes: 1_000_000_000 },
      },
    ],
    // Some of its archives have a folder on top, others none.
    files: { program: /(?:^|\/)llama-server(?:\.exe)?$/ },
    remark: "Runs models that see.",
  };
}
