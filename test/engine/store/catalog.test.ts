import { expect, test } from "vitest";
import { CATALOG, computerInWords, recommendedModels, suitability } from "../../../src/engine/store/catalog.ts";
import { engineFor } from "../../../src/engine/store/catalog-engines.ts";
import type { Computer } from "../../../src/engine/store/this-computer.ts";

const SYSTEMS = ["darwin-arm64", "darwin-x64", "win32-x64", "linux-x64", "linux-arm64"];

const computerOf = (system: string, gigabytes: number, hasGraphics: boolean): Computer => {
  const [platform = "", architecture = ""] = system.split("-");
  return { platform, architecture, memoryBytes: gigabytes * 1e9, processors: 4, hasGraphics };
};

/** Parts that each form is loaded by. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  supertonic: [
    "duration_predictor",
    "text_encoder",
    "vector_estimator",
    "vocoder",
    "tts_json",
    "unicode_indexer",
    "voice_style",
  ],
  kokoro: ["model", "voices", "tokens", "data_dir"],
  piper: ["model", "tokens", "data_dir"],
  parakeet: ["encoder", "decoder", "joiner", "tokens"],
  whisper: ["encoder", "decoder", "tokens"],
  ced: ["model", "labels"],
  "qwen-vl": ["model", "projector"],
  "sherpa-onnx": ["module"],
  "llama-server": ["program"],
};

const engines = SYSTEMS.flatMap((system) =>
  [true, false].flatMap((hasGraphics) =>
    (["sherpa-onnx", "llama-server"] as const).flatMap(
      (form) => engineFor(form, computerOf(system, 16, hasGraphics)) ?? [],
    ),
  ),
);

test("every file is fetched by https alone, with a pinned SHA-256 or the release's own list of them", () => {
  for (const { id, sources } of [...CATALOG, ...engines]) {
    expect(sources, id).not.toEqual([]);
    for (const { url, sha256, checksums, bytes, archive } of sources) {
      expect(url).toMatch(/^https:\/\/(?:huggingface\.co|github\.com|registry\.npmjs\.org)\//);
      expect(bytes).toBeGreaterThan(1_000);
      if (sha256 === null) expect(checksums).toMatch(/^https:\/\/.*\/checksum\.txt$/);
      else expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      // Who has the address of a branch may change what is there.
      if (url.includes("huggingface.co")) expect(url).toMatch(/\/resolve\/[0-9a-f]{40}\//);
      if (archive !== undefined) expect(archive.mostBytes).toBeGreaterThan(bytes);
    }
  }
});

test("no two files of the list have the same sum, name and place", () => {
  const all = CATALOG.flatMap(({ sources }) => sources.map(({ url }) => url));
  expect(new Set(all).size).toBe(all.length);
  expect(new Set(CATALOG.map(({ id }) => id)).size).toBe(CATALOG.length);
});

test("every model names each part that its form is loaded by, and its own files when it has no archive", () => {
  for (const { id, form, files, sources } of [...CATALOG, ...engines]) {
    expect(Object.keys(files), id).toEqual(expect.arrayContaining([...(PARTS[form] ?? ["?"])]));
    if (sources.some(({ archive }) => archive !== undefined)) continue;
    expect(Object.values(files).sort(), id).toEqual(sources.map(({ into }) => into).sort());
  }
});

test("the model that speaks most languages comes first, and Piper has those that it lacks", () => {
  const voices = CATALOG.filter(({ kind }) => kind === "voice");
  const [first, ...others] = voices;
  expect(first).toMatchObject({ id: "supertonic-3", voices: 10 });
  expect(first?.languages).toHaveLength(31);
  const piper = others.filter(({ form }) => form === "piper").flatMap(({ languages }) => languages);
  expect(piper).toEqual(["ca", "cy", "fa", "is", "ka", "kk", "ne", "no", "sr", "sw", "zh"]);
  expect(piper.filter((language) => first?.languages.includes(language))).toEqual([]);
});

test("each system has engines of its own, and Windows on arm none for speech", () => {
  expect(engines).toHaveLength(SYSTEMS.length * 4);
  const server = (system: string, hasGraphics: boolean) =>
    engineFor("llama-server", computerOf(system, 8, hasGraphics))?.sources[0]?.url.split("-bin-")[1];
  expect([server("win32-x64", true), server("win32-x64", false)]).toEqual(["win-vulkan-x64.zip", "win-cpu-x64.zip"]);
  expect(server("darwin-arm64", true)).toBe("macos-arm64.tar.gz");
  const arm = computerOf("win32-arm64", 16, false);
  expect(engineFor("sherpa-onnx", arm)).toBeNull();
  const [voice] = CATALOG.filter(({ kind }) => kind === "voice");
  expect(voice && suitability(voice, arm)).toEqual({ suits: "no", why: "Not made for this system (win32 arm64)." });
});

test("what a computer is too weak for says what it needs, and what is slow says why", () => {
  const suits = (id: string, computer: Computer) => {
    const model = CATALOG.find((one) => one.id === id);
    return model === undefined ? null : suitability(model, computer);
  };
  const weak = computerOf("linux-x64", 4, false);
  expect(suits("qwen3-vl-8b", weak)).toEqual({
    suits: "no",
    why: "Needs a computer with 10 GB of memory; this one has 4 GB.",
  });
  expect(suits("supertonic-3", weak)).toEqual({ suits: "yes", why: "" });
  // Sold with 8 GB, a computer tells some less.
  expect(suits("qwen3-vl-4b", computerOf("darwin-arm64", 7.6, true))).toMatchObject({ suits: "yes" });
  expect(suits("qwen3-vl-4b", computerOf("linux-x64", 16, false))).toMatchObject({ suits: "slow" });
});

test("two gigabytes are left to the system and others, and 8 % forgiven of what a computer tells", () => {
  const suits = (memoryBytes: number) => suitability({ kind: "ears", memoryBytes }, computerOf("linux-x64", 2, false));
  expect(suits(160_000_000)).toEqual({ suits: "yes", why: "" });
  expect(suits(160_000_001).suits).toBe("no");
});

test("the one to take of each kind is the first that suits; without a graphics card the smallest that sees", () => {
  const taken = (computer: Computer) => [...recommendedModels(computer)].slice(0, 1);
  expect(taken(computerOf("darwin-arm64", 16, true))).toEqual(["qwen3-vl-4b"]);
  expect(taken(computerOf("linux-x64", 16, false))).toEqual(["qwen3-vl-2b"]);
  expect([...recommendedModels(computerOf("linux-x64", 4, false))]).toEqual([
    "parakeet-v3",
    "ced-mini",
    "supertonic-3",
  ]);
  expect(computerInWords(computerOf("linux-x64", 4, false))).toContain("It is too weak to describe pictures by itself");
  expect(computerInWords(computerOf("linux-x64", 16, false))).toContain("by itself, but slowly");
  expect(computerInWords(computerOf("darwin-arm64", 16, true))).toMatch(
    /16 GB of memory, 4 processor cores and a graphics/,
  );
});

test("a computer can describe pictures where any model for it suits, however large the others are", () => {
  const said = new Set<string>();
  for (const system of SYSTEMS) {
    for (const hasGraphics of [true, false]) {
      for (const gigabytes of [2, 4, 6, 8, 12, 16, 24, 32, 64]) {
        const computer = computerOf(system, gigabytes, hasGraphics);
        const eyes = CATALOG.filter(({ kind }) => kind === "eyes").map((model) => suitability(model, computer).suits);
        const wanted = eyes.includes("yes") ? "by itself." : eyes.includes("slow") ? "but slowly." : "too weak";
        expect(computerInWords(computer)).toContain(wanted);
        said.add(wanted);
      }
    }
  }
  expect(said.size).toBeGreaterThan(1);
});
