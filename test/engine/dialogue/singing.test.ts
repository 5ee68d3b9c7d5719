import { readdir, truncate } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DialogueOrder, dialogueOf } from "../../../src/engine/dialogue/dialogue.ts";
import {
  decideSinging,
  listenForSinging,
  planListening,
  sungProbability,
} from "../../../src/engine/dialogue/singing.ts";
import { speechEngine } from "../../../src/engine/local/speech-engine.ts";
import { type InstalledHearing, soundsIn } from "../../../src/engine/local/speech-setup.ts";
import type { Environment } from "../../../src/engine/outgoing/local-only.ts";
import { songFindings } from "../../../src/engine/pipeline/listening.ts";
import { ced, type HeardToken, parakeet } from "../../fakes/hearing-models.ts";
import { type ModelMaker, speakingStore } from "../../fakes/speaking-models.ts";
import { makeMedia } from "../../made-media.ts";
import { numbersBetween } from "../../numbers-between.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const MUSIC = [{ start: 8, end: 50 }];

/** Sung where there is sound, and music everywhere. */
const SINGS = ced({ Music: 0.8, Speech: 0.05, "Female singing": 0.6, Singing: 0.5 }, ["Female singing", "Singing"]);

/** A minute with sound from 20 to 40 s alone. */
let song = "";
const engines = new Set<string>();
beforeAll(async () => {
  song = join(await temporaryFolder(), "song.wav");
  const graph = "anoisesrc=d=60:r=16000:a=0.4:seed=7,volume=0:enable='not(between(t,20,39.999))'";
  makeMedia(song, [{ graph, codec: "pcm_s16le" }]);
});
afterAll(async () => {
  for (const library of engines) await speechEngine(library).close();
});

async function storeOf(makers: readonly ModelMaker[]) {
  const store = await speakingStore(await temporaryFolder(), makers);
  const sounds = soundsIn(store.environment);
  if (sounds !== null) engines.add(sounds.setup.library);
  return store;
}

async function installed(maker: ModelMaker): Promise<InstalledHearing> {
  const sounds = soundsIn((await storeOf([maker])).environment);
  if (sounds === null) throw new Error("nothing is installed");
  return sounds;
}

const order = (folder: string) => ({ mediaPath: song, durationSeconds: 60, where: MUSIC, folder });

describe("singing is decided from what a model hears in each piece", () => {
  const pieces = (...probabilities: number[]) =>
    probabilities.map((probability, index) => ({ start: 5 * index, end: 5 * index + 5, probability }));

  test("as a stretch of likely pieces, of which one is sure", () => {
    expect(decideSinging(pieces(0, 0.2, 0.5, 0.2, 0.05, 0.2, 0.2, 0))).toEqual([{ start: 5, end: 20 }]);
    expect(decideSinging(pieces(0.31, 0, 0.31))).toEqual([
      { start: 0, end: 5 },
      { start: 10, end: 15 },
    ]);
    expect(decideSinging([])).toEqual([]);
  });

  test("and louder evidence never takes any away", () => {
    const share = numbersBetween(0, 0.5);
    fc.assert(
      fc.property(fc.array(fc.tuple(share, share), { maxLength: 12 }), (heard) => {
        const wide = decideSinging(pieces(...heard.map(([probability, more]) => probability + more)));
        for (const { start, end } of decideSinging(pieces(...heard.map(([probability]) => probability)))) {
          expect(wide.some((range) => range.start <= start && range.end >= end)).toBe(true);
        }
      }),
    );
  });

  test("by the likeliest kind in which words are sung: no music, humming or talk is one", () => {
    const kind = (name: string, probability: number) => ({ name, probability });
    expect(sungProbability([kind("Music", 0.9), kind("Choir", 0.4), kind("Singing", 0.3)])).toBe(0.4);
    expect(sungProbability([kind("Speech", 0.9), kind("Humming", 0.8), kind("Violin, fiddle", 0.7)])).toBe(0);
    expect(sungProbability([])).toBe(0);
  });

  test("and the pieces are of one grid that covers what may be sung, whatever is asked about", () => {
    expect(planListening([{ start: 8, end: 10.5 }], 60)).toEqual([
      { start: 5, end: 10 },
      { start: 10, end: 15 },
    ]);
    // What is left at the end is too short to hold a word.
    expect(planListening([{ start: 0, end: 30 }], 10.2).map(({ end }) => end)).toEqual([5, 10]);
    expect(planListening([], 60)).toEqual([]);
  });
});

describe("an installed model that tells kinds of sound", () => {
  test("hears where somebody sings in the music, and says how far it is", async () => {
    const progress: number[] = [];
    const heard = await listenForSinging(
      order(await temporaryFolder()),
      await installed(SINGS),
      new AbortController().signal,
      (fraction) => progress.push(fraction),
    );
    expect(heard).toMatchObject({ ranges: [{ start: 20, end: 40 }], listenedSeconds: 45, failure: null });
    expect(progress).toHaveLength(9);
    expect(progress.at(-1)).toBe(1);
  });

  test("is asked once about a media: what it heard is kept, for this version of it, also where it is cancelled", async () => {
    const sounds = await installed(SINGS);
    const folder = await temporaryFolder();
    const signal = new AbortController();
    let asked = 0;
    const stopped = listenForSinging(order(folder), sounds, signal.signal, () => {
      if (++asked === 3) signal.abort(new Error("cancelled"));
    });
    await expect(stopped).rejects.toThrow("cancelled");
    const again = async (one: InstalledHearing) => {
      let count = 0;
      const { ranges } = await listenForSinging(order(folder), one, new AbortController().signal, () => count++);
      expect(ranges).toEqual([{ start: 20, end: 40 }]);
      return count;
    };
    expect(await again(sounds)).toBe(6);
    expect(await again(sounds)).toBe(0);
    expect(await readdir(folder)).toHaveLength(1);
    expect(await again(await installed(SINGS))).toBe(9);
  });
});

const TOKENS: readonly HeardToken[] = [
  [" Row", 4],
  [" your", 3],
  [" boat", 4],
];

describe("what is sung", () => {
  const spoken = [{ start: 2, end: 4, confidence: 0.9 }];
  async function dialogue(makers: readonly ModelMaker[] | Environment, more: Partial<DialogueOrder> = {}) {
    const environment = Array.isArray(makers) ? (await storeOf(makers)).environment : (makers as Environment);
    const asked: DialogueOrder = {
      ...{ mediaPath: song, mediaFolder: await temporaryFolder(), durationSeconds: 60, heard: spoken, music: MUSIC },
      ...{ captions: [], language: "en-US", mayAsk: true, environment, findLocal: async () => null, ...more },
    };
    return await dialogueOf(asked, new AbortController().signal);
  }

  test("whose words nobody knows is told and announced, and stays free where descriptions may lie over music", async () => {
    const { speech, singing, notes } = await dialogue([SINGS]);
    expect(singing).toEqual([{ start: 20, end: 40 }]);
    expect(speech).toEqual([{ start: 2, end: 4 }]);
    expect(notes).toEqual([
      "CED mini on this computer listened to 45 s of music: somebody sings for 20 s of it, in 1 song.",
    ]);
    expect(songFindings({ singing, transcript: [] }, true)).toEqual([
      expect.objectContaining({ rule: "song", severity: "note", start: 20, end: 40 }),
    ]);
  });

  test("is kept clear where descriptions may not lie over music, heard with doubt as speech or not at all", async () => {
    const { speech } = await dialogue([SINGS], { keepsSongs: true });
    expect(speech).toEqual([
      { start: 2, end: 4 },
      { start: 20, end: 40 },
    ]);
    const [found] = songFindings({ singing: [{ start: 20, end: 40 }], transcript: [] }, false);
    expect(found?.message).toContain("it is kept clear");
    const doubted = [{ start: 22, end: 33, confidence: 0.3 }];
    const without = await dialogue([SINGS], { keepsSongs: true, music: [], heard: doubted });
    expect(without.speech).toEqual([{ start: 20, end: 35 }]);
    expect((await dialogue({}, { keepsSongs: true, music: [], heard: doubted })).speech).toEqual([]);
  });

  test("is written down by whoever transcribes here, and its words are speech then", async () => {
    const { speech, transcript, singing } = await dialogue([SINGS, parakeet(TOKENS)]);
    expect(transcript.length).toBeGreaterThan(1);
    const sung = transcript.filter(({ start }) => start > 10);
    expect(sung.length).toBeGreaterThan(0);
    for (const { words = [] } of sung) {
      for (const word of words)
        expect(speech.some(({ start, end }) => start <= word.start && end >= word.end)).toBe(true);
    }
    // Not the song between its words.
    expect(speech.some(({ start, end }) => start <= 20 && end >= 40)).toBe(false);
    const [found] = songFindings({ singing, transcript }, true);
    expect(found?.message).toContain("its words are kept clear");
  });

  test("is announced once: where captions tell of the song, whoever shows the dialogue does", async () => {
    const captions = [{ start: 25, end: 27, text: "♪ Row, row, row your boat ♪" }];
    const { singing, transcript, speech } = await dialogue([SINGS], { captions });
    expect(songFindings({ singing, transcript }, true)).toEqual([]);
    expect(speech).toContainEqual({ start: 25, end: 27 });
  });

  test("is dialogue where a caption without a sign tells its words, heard as speech or not", async () => {
    const captions = [{ start: 22, end: 38, text: "Row, row, row your boat, gently down the stream." }];
    // Half of it is heard as speech, and no music under it: its own times would not count then.
    const heard = [{ start: 22, end: 30, confidence: 0.45 }];
    const { speech } = await dialogue([SINGS], { captions, heard, music: [] });
    expect(speech).toEqual([{ start: 22, end: 38 }]);
    expect((await dialogue({}, { captions, heard, music: [] })).speech).toEqual([{ start: 22, end: 30 }]);
  });

  test("takes nothing from what was heard as speech, and is not listened for where lines stay where they lie", async () => {
    const plain = await dialogue({});
    const { speech } = await dialogue([ced({ Music: 0.9, Singing: 0.02 })]);
    expect(speech).toEqual(plain.speech);
    const { singing, notes } = await dialogue([SINGS], { mayAsk: false });
    expect([singing, notes]).toEqual([[], []]);
  });

  test("is not known where the model is damaged, which costs a note and no job", async () => {
    const store = await storeOf([SINGS]);
    await truncate(join(store.folder, "ced-mini", "model.onnx"), 40);
    const { speech, notes } = await dialogue(store.environment);
    expect(speech).toEqual([{ start: 2, end: 4 }]);
    expect(notes).toEqual([
      expect.stringMatching(/^Nobody listened whether somebody sings in the music\. CED mini cannot be loaded: /),
    ]);
  });
});
