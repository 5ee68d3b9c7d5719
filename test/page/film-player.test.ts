import { describe, expect, test } from "vitest";
import { openReview } from "../../panel/state/opened-review.ts";
import type { ReviewState } from "../../panel/state/review-state.ts";
import type { Result } from "../../src/result/result.ts";
import { placedResult } from "../fakes/placed-result.ts";
import { turns } from "../fakes/set-clock.ts";
import { jobEntry } from "../panel/session-in-memory.ts";
import { type MadeElement, madeBrowser } from "./made-browser.ts";

/** What is used of the page's parts; they are of a browser, whose types these tests do without. */
interface PlayerModule {
  readonly FilmPlayer: new (
    parts: object,
  ) => {
    readonly element: MadeElement;
    readonly time: number;
    seek(seconds: number): void;
    toggle(): void;
    show(review: ReviewState | null): void;
  };
}
const browser = madeBrowser();
const player: PlayerModule = await import(String(new URL("../../page/film-player.ts", import.meta.url)));

describe("the film under review", () => {
  const CUES = [1, 5, 9].map((start) => ({ id: `c${start}`, start, end: start + 2, text: `At ${start}.` }));
  const reviewOf = (change: Partial<Result> = {}) => openReview(placedResult(CUES, change), jobEntry());

  /** A player whose film and sounds are here or with the service, as the test says. */
  function playerOf(here: readonly string[] = []) {
    const asked: string[] = [];
    const said: string[] = [];
    const read: string[] = [];
    const announcer = {
      say: ({ text }: { readonly text: string }) => void said.push(text),
      read: (text: string) => void read.push(text),
      endReading: () => void read.push(""),
    };
    const files = { blobOf: async (path: string) => (here.includes(path) ? new Blob(["x"]) : null) };
    const desk = {
      media: async (id: string) => {
        asked.push(id);
        return { signed_url: `https://s.example/${id}/${asked.length}` };
      },
    };
    const slow: ((status: string) => void)[] = [];
    const client = {
      getResults: async () => {
        const status = await new Promise<string>((answer) => slow.push(answer));
        if (status === "no line") throw new Error(status);
        return { status, audioUrl: "https://s.example/voice" };
      },
    };
    const one = new player.FilmPlayer({ files, desk, client, announcer });
    const [video, voice] = [
      browser.made.find(({ name }) => name === "video"),
      browser.made.find(({ name }) => name === "audio"),
    ];
    if (video === undefined || voice === undefined) throw new Error("no film");
    return { one, video, voice, asked, said, read, slow };
  }
  const tracksOf = (video: MadeElement) =>
    video.children.filter(({ name }) => name === "track").map(({ kind }) => kind);

  test("has its descriptions and what is said as tracks, those of now alone, and lets go of the others", async () => {
    const { one, video } = playerOf();
    const dialogue = [{ start: 3, end: 4, text: "Hello." }];
    one.show(reviewOf({ dialogue }));
    expect(tracksOf(video)).toEqual(["descriptions", "captions"]);
    expect(browser.revoked).toEqual([]);
    const first = video.children.map(({ src }) => src);
    one.show(reviewOf({ dialogue, cues: CUES.slice(1) }));
    expect(tracksOf(video)).toEqual(["descriptions", "captions"]);
    expect(browser.revoked).toEqual(first);
    one.show(reviewOf({ cues: CUES }));
    expect(tracksOf(video)).toEqual(["descriptions"]);
    expect(browser.revoked).toHaveLength(4);
    for (const track of video.children)
      expect([track.default, track.srclang, String(track.src).startsWith("blob:")]).toEqual([true, "en-US", true]);
    expect(one.element.hidden).toBe(false);
    one.show(null);
    expect(one.element.hidden).toBe(true);
  });

  test("has every line of its descriptions in one track, and every line that is said in the other", async () => {
    const { one, video } = playerOf();
    const dialogue = [3, 13, 23].map((start) => ({ start, end: start + 1, text: `Said at ${start}.` }));
    one.show(reviewOf({ dialogue }));
    const texts = await Promise.all(video.children.map(({ src }) => browser.blobs.get(String(src))?.text()));
    expect(texts.map((text) => text?.match(/(?:At|Said at) \d+\./g))).toEqual([
      CUES.map(({ text }) => text),
      dialogue.map(({ text }) => text),
    ]);
  });

  test("comes from this browser where it is here, else from an address that is asked for anew when it has ended", async () => {
    const near = playerOf(["films/s1"]);
    near.one.show(reviewOf());
    await turns();
    expect([near.asked, String(near.video.src).startsWith("blob:")]).toEqual([[], true]);
    browser.made = [];
    const { one, video, asked, said } = playerOf();
    one.show(reviewOf());
    await turns();
    expect([asked, video.src]).toEqual([["s1"], "https://s.example/s1/1"]);
    video.currentTime = 42;
    // An address that was just given is good: the film is not.
    await browser.clock.pass(59_000);
    video.happens("error");
    await turns();
    expect([asked.length, said.filter((text) => text !== "").length]).toEqual([1, 1]);
    await browser.clock.pass(2000);
    video.currentTime = 42;
    video.paused = false;
    video.happens("error");
    await turns();
    expect([asked.length, video.src, video.currentTime]).toEqual([2, "https://s.example/s1/2", 42]);
    // It counts from then on.
    await browser.clock.pass(59_000);
    video.happens("error");
    await turns();
    expect(asked).toHaveLength(2);
  });

  test("shows the line that stands now, and has it read aloud while it plays where somebody wants that", async () => {
    const { one, video, read } = playerOf();
    one.show(reviewOf());
    const line = browser.made.find(({ className }) => className === "spoken");
    for (const [time, text] of [
      [0.5, ""],
      [1.5, "At 1."],
      [3.5, ""],
      [9.9, "At 9."],
      [11.5, ""],
    ] as const) {
      // biome-ignore format: pairs
      video.currentTime = time;
      for (const tick of browser.ticking) tick();
      video.happens("seeking");
      expect(line?.textContent).toBe(text);
    }
    expect(read).toEqual([]);
    const hearing = browser.made.find(({ id }) => id === "hearing");
    if (hearing !== undefined) hearing.value = "reader";
    video.paused = false;
    for (const time of [1.5, 3.5, 5.5]) {
      video.currentTime = time;
      for (const tick of browser.ticking) tick();
    }
    expect(read).toEqual(["At 1.", "", "At 5."]);
    expect(one.time).toBe(5.5);
    one.seek(2);
    expect(video.currentTime).toBe(2);
    one.seek(2.005);
    expect(video.currentTime).toBe(2);
  });

  test("has its descriptions heard as sound, by the reader's own screen reader, or not at all: each can be chosen", () => {
    playerOf();
    const choices = browser.made.find(({ id }) => id === "hearing")?.children ?? [];
    expect(choices.map(({ value }) => value)).toEqual(["voice", "reader", "off"]);
    expect(new Set(choices.map(({ textContent }) => textContent)).size).toBe(3);
  });

  describe("with a voice", () => {
    const audioOf = (path: string) => ({ path, start: 0, durationSeconds: 60 });

    test.each(["done", "processing", "no line"])(
      "has that of the result as it is now, though the one before comes later (%s); without one, none",
      async (late) => {
        const { one, voice, slow, said } = playerOf(["here.wav"]);
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
        const { one, voice, video, slow, said } = playerOf();
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
});
