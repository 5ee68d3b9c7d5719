import { describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/core/settings.ts";
import type { Result } from "../../src/result/result.ts";
import { voicedCues } from "../../src/result/stale.ts";
import { turns } from "../fakes/set-clock.ts";
import { madeBrowser } from "./made-browser.ts";
import { CUES, openPlayer, reviewOf } from "./open-player.ts";

const browser = madeBrowser();
const audioOf = (path: string, start = 0) => ({ path, start, durationSeconds: 60 });

/** A result whose lines are all voiced in one file, which is here. */
const voicedIn = (change: Partial<Result> = {}) =>
  reviewOf({ voiced: voicedCues(CUES, DEFAULT_SETTINGS), audio: audioOf("here.wav"), ...change });

/** A player of such a result, whose film plays and goes where the test says. */
async function playing(change: Partial<Result> = {}, here: readonly string[] = ["here.wav"]) {
  browser.levels = [];
  const open = openPlayer(browser, here);
  open.one.show(voicedIn(change));
  await turns();
  open.one.toggle();
  await turns();
  const at = async (time: number) => {
    open.video.currentTime = time;
    for (const tick of browser.ticking) tick();
    await turns();
    return { isHeard: !open.voice.paused, level: browser.levels?.at(-1) };
  };
  return { ...open, at };
}

describe("a voice of the film under review", () => {
  test.each(["done", "processing", "no line"])(
    "has that of the result as it is now, though the one before comes later (%s); without one, none",
    async (late) => {
      const { one, voice, slow, said } = openPlayer(browser, ["here.wav"]);
      one.show(reviewOf({ audio: audioOf("at the service.wav") }));
      await turns();
      expect(slow).toHaveLength(1);
      // It is voiced anew meanwhile.
      one.show(reviewOf({ audio: audioOf("here.wav") }));
      await turns();
      const here = voice.src;
      expect(String(here)).toMatch(/^blob:/);
      slow[0]?.(late);
      await turns();
      expect([voice.src, said.filter((text) => text !== "")]).toEqual([here, []]);
      one.show(reviewOf());
      await turns();
      expect(voice.src).toBeUndefined();
      one.show(reviewOf({ audio: audioOf("at the service.wav") }));
      await turns();
      slow[1]?.("done");
      await turns();
      expect([voice.src, said.filter((text) => text !== "")]).toEqual(["https://s.example/voice", []]);
    },
  );

  test.each(["processing", "no line"])(
    "that is gone (%s) is told, and the film is shown all the same",
    async (status) => {
      const { one, voice, video, slow, said } = openPlayer(browser);
      one.show(reviewOf({ audio: audioOf("gone.wav") }));
      await turns();
      slow[0]?.(status);
      await turns();
      expect([voice.src, video.src, said.filter((text) => text !== "").length]).toEqual([
        undefined,
        "https://s.example/s1/1",
        1,
      ]);
    },
  );
});

describe("while the film plays", () => {
  test("a voice that came alone is heard where it says a line, at the place of the film, over a film that is lower", async () => {
    const { voice, at } = await playing();
    expect(await at(0.5)).toEqual({ isHeard: false, level: 1 });
    const under = await at(5.5);
    expect([under.isHeard, voice.currentTime]).toEqual([true, 5.5]);
    expect(under.level).toBeGreaterThan(0.2);
    expect(under.level).toBeLessThan(0.5);
    expect(await at(7.5)).toEqual({ isHeard: false, level: 1 });
    expect(await at(9)).toMatchObject({ isHeard: true });
    expect(await at(11)).toMatchObject({ isHeard: false });
  });

  test("a mix is heard from its beginning to its end, and the film itself is not", async () => {
    const { voice, at } = await playing({ track: "mixed", audio: { ...audioOf("here.wav"), durationSeconds: 30 } });
    for (const time of [0, 0.5, 5.5, 29.9]) {
      expect(await at(time)).toEqual({ isHeard: true, level: 0 });
      expect(voice.currentTime).toBeCloseTo(time);
    }
    expect((await at(30)).isHeard).toBe(false);
  });

  test("a voice of a part of the film begins where the part does", async () => {
    const { voice, at } = await playing({ audio: audioOf("here.wav", 4) });
    // What it would say before that is not in it.
    expect((await at(1.5)).isHeard).toBe(false);
    await at(5.5);
    expect([voice.paused, voice.currentTime]).toEqual([false, 1.5]);
  });

  test("a voice that was made where a line stood before is heard where the line stands now", async () => {
    const moved = CUES.map((cue) => (cue.id === "c5" ? { ...cue, start: 25, end: 27 } : cue));
    const { voice, at } = await playing({ cues: moved });
    expect((await at(5.5)).isHeard).toBe(false);
    expect((await at(25.5)).isHeard).toBe(true);
    expect(voice.currentTime).toBe(5.5);
  });

  test("a line that reads otherwise than it was voiced is silent; the others are heard", async () => {
    const changed = CUES.map((cue) => (cue.id === "c5" ? { ...cue, text: "Something else." } : cue));
    const { at } = await playing({ cues: changed });
    expect(await at(5.5)).toEqual({ isHeard: false, level: 1 });
    expect((await at(9.5)).isHeard).toBe(true);
  });

  test("a line stands as long as its voice lasts, where that is longer than the line", async () => {
    const voiced = voicedCues(CUES, DEFAULT_SETTINGS);
    const { at } = await playing({ voiced: { ...voiced, c5: { ...voiced["c5"], seconds: 3 } as never } });
    expect((await at(7.9)).isHeard).toBe(true);
    expect((await at(8)).isHeard).toBe(false);
  });

  test("a voice is moved only where it is audibly beside the film, and is as loud and as fast as that", async () => {
    const { voice, video, at } = await playing();
    await at(5);
    voice.currentTime = 5.64;
    await at(5.5);
    expect(voice.currentTime).toBe(5.64);
    voice.currentTime = 5.3;
    await at(5.5);
    expect(voice.currentTime).toBe(5.5);
    Object.assign(video, { volume: 0.5, playbackRate: 2, muted: false });
    await at(5.6);
    expect([voice.volume, voice.playbackRate]).toEqual([0.5, 2]);
    Object.assign(video, { muted: true });
    await at(5.7);
    expect(voice.volume).toBe(0);
  });

  test("a voice falls silent with the film, and where descriptions are to be heard otherwise", async () => {
    const { one, voice, video, said, at } = await playing();
    await at(5.5);
    one.toggle();
    await turns();
    expect([video.paused, voice.paused]).toEqual([true, true]);
    expect(said.at(-1)).toMatch(/^Paused at 6 seconds/);
    one.toggle();
    await turns();
    expect([video.paused, voice.paused]).toEqual([false, false]);
    const hearing = browser.made.find(({ id }) => id === "hearing");
    if (hearing !== undefined) hearing.value = "off";
    hearing?.happens("change");
    expect([voice.paused, browser.levels?.at(-1)]).toEqual([true, 1]);
  });

  test("a line that was voiced by itself is heard from its own file, and from that alone", async () => {
    const pieces = { c5: { path: "c5.wav", start: 5, durationSeconds: 3 } };
    const { one, voice, video, at } = await playing({ pieces }, ["here.wav", "c5.wav"]);
    Object.assign(video, { volume: 0.5, muted: false });
    const sounds = () => browser.made.filter((sound) => sound.name === "audio" && sound !== voice);
    await at(5.5);
    expect(sounds()).toMatchObject([{ currentTime: 0.5, paused: false, volume: 0.5 }]);
    expect(browser.levels?.at(-1)).toBeLessThan(1);
    expect(voice.paused).toBe(true);
    // It goes on by itself, beyond the end of its line, and ends with it.
    await at(7.5);
    expect(sounds()).toMatchObject([{ currentTime: 0.5, paused: false }]);
    await at(8);
    expect([sounds()[0]?.paused, browser.levels?.at(-1)]).toEqual([true, 1]);
    await at(9.5);
    expect(voice.paused).toBe(false);
    // Whoever comes back to it hears it from there.
    await at(6);
    expect(sounds()[1]).toMatchObject({ currentTime: 1, paused: false });
    one.show(null);
    expect([sounds()[1]?.paused, video.paused]).toEqual([true, true]);
  });

  test("a file of a line that is gone, or that is read when the film is elsewhere, is not heard", async () => {
    const pieces = { c5: { path: "gone.wav", start: 5, durationSeconds: 2 } };
    const gone = await playing({ pieces });
    await gone.at(5.5);
    expect(browser.made.filter(({ name, paused }) => name === "audio" && !paused)).toEqual([]);
    const { at, voice } = await playing({ pieces }, ["here.wav", "gone.wav"]);
    const late = at(5.5);
    await at(7.5);
    await late;
    expect(browser.made.filter((sound) => sound.name === "audio" && sound !== voice && !sound.paused)).toEqual([]);
  });

  test("without a mixer a film keeps its own sound, and the voice is heard over it", async () => {
    browser.levels = null;
    const { one, voice, video } = openPlayer(browser, ["here.wav"]);
    one.show(voicedIn());
    await turns();
    one.toggle();
    await turns();
    video.currentTime = 5.5;
    for (const tick of browser.ticking) tick();
    expect(voice.paused).toBe(false);
  });

  test("what has ended is said to have, and what was put away says nothing", async () => {
    const { one, video, said, at } = await playing();
    await at(5.5);
    video.ended = true;
    video.pause();
    expect(said.at(-1)).not.toMatch(/Paused at/);
    const told = said.length;
    video.ended = false;
    one.toggle();
    await turns();
    expect(said.slice(told)).toEqual([expect.stringMatching(/^Playing from 6 seconds/)]);
    one.show(null);
    expect(said).toHaveLength(told + 1);
  });
});
