import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { SpokenLine } from "../../../src/engine/spoken-line.ts";
import { EspeakVoice } from "../../../src/engine/voice/espeak.ts";
import { NarrationCache } from "../../../src/engine/voice/narration-cache.ts";
import { Narrator, openNarrator } from "../../../src/engine/voice/narrator.ts";
import { type Voice, type VoiceRequest, VoiceUnavailableError } from "../../../src/engine/voice/voice.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { IS_THOROUGH } from "../../thorough/thorough-test.ts";

const TEXT = "A woman sits at a desk by the window, reading a long letter from home.";
const SETTINGS = { language: "en-US", voice: "Achernar" };

/** The real voice, with a list of what it was asked. */
class CountedVoice implements Voice {
  readonly asked: VoiceRequest[] = [];
  readonly #voice = new EspeakVoice();
  readonly id = this.#voice.id;
  readonly name = this.#voice.name;
  readonly isCharged = false;
  check(language: string, voice: string): void {
    this.#voice.check(language, voice);
  }
  speak(request: VoiceRequest, signal?: AbortSignal): Promise<SpokenLine> {
    this.asked.push(request);
    return this.#voice.speak(request, signal);
  }
}

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});

test("a direction to the voice is not spoken, and the words around it sound as without it", async () => {
  const voice = new CountedVoice();
  const narrator = new Narrator(voice, new NarrationCache(folder), SETTINGS);
  const plain = await narrator.speak("A gull lands. It flies off.");
  const directed = await narrator.speak("NARRATOR (V.O.): [slowly] A gull lands. {pause 1s} It flies off. (beat)");
  expect(voice.asked.map(({ text, written }) => [text, written])).toEqual([
    ["A gull lands. It flies off.", "A gull lands. It flies off."],
  ]);
  expect(directed.line).toEqual(plain.line);
});

describe("NarrationCache", () => {
  test("gives back the very samples, to another process as well", async () => {
    const voice = new CountedVoice();
    const first = await new Narrator(voice, new NarrationCache(folder), SETTINGS).speak(TEXT);
    const second = await new Narrator(voice, new NarrationCache(folder), SETTINGS).speak(TEXT);
    expect(voice.asked.length).toBe(1);
    expect([first.wasKept, second.wasKept]).toEqual([false, true]);
    expect(second.line).toEqual(first.line);
  });

  test("use keeps an entry young, for the sweep goes by its time", async () => {
    const cache = new NarrationCache(folder);
    const request: VoiceRequest = { text: TEXT, rate: 1, ...SETTINGS };
    await cache.keep("one", request, { samples: new Float32Array(8), sampleRate: 8_000 });
    const path = join(folder, (await readdir(folder))[0] ?? "");
    const asLongAgo = async () => Math.round((Date.now() - (await stat(path)).mtimeMs) / 3_600_000);
    await utimes(path, new Date(), new Date(Date.now() - 29 * 24 * 3_600_000));
    await cache.find("another", request);
    expect(await asLongAgo()).toBe(29 * 24);
    await cache.find("one", request);
    expect(await asLongAgo()).toBe(0);
  });

  test("keeps apart what differs in text, language, voice, rate or engine", async () => {
    const cache = new NarrationCache(folder);
    const request: VoiceRequest = { text: TEXT, rate: 1, ...SETTINGS };
    const line: SpokenLine = { samples: new Float32Array([0, 0.5]), sampleRate: 8_000 };
    await cache.keep("one", request, line);
    expect(await cache.find("one", request)).toEqual(line);
    expect(await cache.find("two", request)).toBeNull();
    for (const other of [{ text: "x" }, { language: "en-GB" }, { voice: "Kore" }, { rate: 1.01 }]) {
      expect(await cache.find("one", { ...request, ...other })).toBeNull();
    }
  });

  test("speaks only the lines that changed, and gives the others back sample by sample", async () => {
    const voice = new CountedVoice();
    const narrator = new Narrator(voice, new NarrationCache(folder), SETTINGS);
    const lines = Array.from({ length: 12 }, (_, index) => `Line ${index}. ${TEXT}`);
    const before = await Promise.all(lines.map((line) => narrator.speak(line)));
    voice.asked.length = 0;
    const changed = lines.map((line, index) => (index % 5 === 0 ? `${line} She sighs.` : line));
    const after = await Promise.all(changed.map((line) => narrator.speak(line)));
    expect(voice.asked).toHaveLength(3);
    for (const [index, { line }] of after.entries()) if (index % 5 !== 0) expect(line).toEqual(before[index]?.line);
  });

  test("makes a damaged entry anew", async () => {
    const voice = new CountedVoice();
    const narrator = new Narrator(voice, new NarrationCache(folder), SETTINGS);
    const whole = await narrator.speak(TEXT);
    const [name = ""] = await readdir(folder);
    const entry = await readFile(join(folder, name));
    const flipped = Buffer.from(entry);
    flipped.writeUInt8(flipped.readUInt8(5_000) ^ 1, 5_000);
    for (const damaged of [flipped, entry.subarray(0, 9_000), Buffer.alloc(0), Buffer.from("text")]) {
      await writeFile(join(folder, name), damaged);
      const again = await narrator.speak(TEXT);
      expect(again.wasKept).toBe(false);
      expect(again.line).toEqual(whole.line);
    }
  });

  test("leaves no unfinished file behind when it cannot write", async () => {
    const blocked = join(folder, "file");
    await writeFile(blocked, "");
    const narrator = new Narrator(new CountedVoice(), new NarrationCache(join(blocked, "below")), SETTINGS);
    await expect(narrator.speak(TEXT)).rejects.toThrow(/ENOTDIR|EEXIST/);
    expect(await readdir(folder)).toEqual(["file"]);
  });
});

/** A voice that answers as it is told, and the real one once it is told nothing more. */
class FalteringVoice implements Voice {
  readonly id = "faltering";
  readonly name = "The speech server at example.org";
  readonly isCharged = false;
  readonly #answers: SpokenLine[];
  readonly #voice = new EspeakVoice();
  constructor(answers: readonly SpokenLine[]) {
    this.#answers = [...answers];
  }
  check(): void {}
  async speak(request: VoiceRequest): Promise<SpokenLine> {
    return this.#answers.shift() ?? this.#voice.speak(request);
  }
}

const SILENCE: SpokenLine = { samples: new Float32Array(0), sampleRate: 8_000 };
const HALF_A_SECOND: SpokenLine = { samples: new Float32Array(4_000).fill(0.1), sampleRate: 8_000 };

describe("Narrator", () => {
  test("asks a second time where words have no sound, or too short a one", async () => {
    for (const first of [SILENCE, HALF_A_SECOND]) {
      const narrator = new Narrator(new FalteringVoice([first]), new NarrationCache(folder), SETTINGS);
      expect((await narrator.speak(`${first.samples.length}. ${TEXT}`)).seconds).toBeGreaterThan(3);
      expect(narrator.spokenAnew).toBe(2);
    }
  });

  test("says whose voice gave no sound for which words, and keeps no silence for them", async () => {
    const narrator = new Narrator(new FalteringVoice([SILENCE, SILENCE]), new NarrationCache(folder), SETTINGS);
    await expect(narrator.speak("Dr. Jones waits.")).rejects.toMatchObject({
      code: "speech_silent",
      message: "The speech server at example.org gave no sound for “Dr. Jones waits.”.",
    });
    expect(await readdir(folder)).toEqual([]);
    // What has no word to speak is silent rightly.
    expect((await new Narrator(new FalteringVoice([SILENCE]), null, SETTINGS).speak("♪ … ♪")).seconds).toBe(0);
  });

  test("refuses a voice that does not speak the language before anything is done", () => {
    expect(() => new Narrator(new EspeakVoice(), null, { language: "ja-JP", voice: "Achernar" })).toThrow(
      VoiceUnavailableError,
    );
  });

  test("lets the lexicon change what is said, and what is found in the cache", async () => {
    const voice = new CountedVoice();
    const cache = new NarrationCache(folder);
    await new Narrator(voice, cache, SETTINGS).speak("Siobhan & Tom");
    await new Narrator(voice, cache, { ...SETTINGS, lexicon: [{ written: "Siobhan", spoken: "Shivawn" }] }).speak(
      "Siobhan & Tom",
    );
    expect(voice.asked.map(({ text }) => text)).toEqual(["Siobhan and Tom", "Shivawn and Tom"]);
  });

  test("tells of every line of the lexicon that it cannot use, and of a lexicon that is not there", async () => {
    const lexicon = join(folder, "lexicon.txt");
    await writeFile(lexicon, "Siobhan Shivawn\nOK = okay\nTom\n");
    const open = (path: string) =>
      openNarrator({ ...SETTINGS, cacheFolder: folder, environment: { ASIDE_LEXICON: path } });
    expect((await open(` ${lexicon} `)).notes).toEqual([
      'The lexicon, line 1: "Siobhan Shivawn" is not "written = spoken".',
      'The lexicon, line 3: "Tom" is not "written = spoken".',
    ]);
    await expect(open(join(folder, "gone.txt"))).rejects.toMatchObject({ code: "setup_incomplete" });
  });

  test("speaks at the normal rate where that fits", async () => {
    const voice = new CountedVoice();
    const narrator = new Narrator(voice, null, SETTINGS);
    expect(await narrator.speakToFit(TEXT, 10, 1.25)).toMatchObject({ rate: 1, fits: true });
    expect(voice.asked.length).toBe(1);
  });

  test("fits any line that can be fitted with one more try, and no faster than needed", async () => {
    for (const name of IS_THOROUGH ? ["Achernar", "Charon", "Leda"] : ["Charon"]) {
      const voice = new CountedVoice();
      const narrator = new Narrator(voice, null, { language: "en-US", voice: name });
      const { seconds } = await narrator.speak(TEXT);
      voice.asked.length = 0;
      for (const share of [0.99, 0.95, 0.9, 0.85]) {
        voice.asked.length = 0;
        const fitted = await narrator.speakToFit(TEXT, seconds * share, 1.25);
        expect(fitted.fits).toBe(true);
        expect(fitted.seconds).toBeGreaterThan(seconds * share * 0.93);
        expect(voice.asked.length).toBe(2);
      }
    }
  });

  test("says so when a line stays too long at the highest rate allowed", async () => {
    const narrator = new Narrator(new EspeakVoice(), null, SETTINGS);
    const fitted = await narrator.speakToFit(TEXT, 1, 1.1);
    expect(fitted).toMatchObject({ fits: false, rate: 1.1 });
    expect(await narrator.speakToFit(TEXT, 1, 1)).toMatchObject({ fits: false, rate: 1 });
  });

  test.each([
    [1.0439, 1.04],
    [1.0461, 1.04],
    [1.004, 1],
    [1.144, 1.14],
  ])("gives up at a highest rate between two steps: %d", async (highest, rate) => {
    const narrator = new Narrator(new EspeakVoice(), null, SETTINGS);
    expect(await narrator.speakToFit(TEXT, 1, highest)).toMatchObject({ fits: false, rate });
  });
});
