import { describe, expect, test } from "vitest";
import { pageWords } from "../../page/page-words.ts";
import { turns } from "../fakes/set-clock.ts";
import { type MadeElement, madeBrowser } from "./made-browser.ts";
import { CUES, openPlayer, reviewOf } from "./open-player.ts";

const browser = madeBrowser();

describe("the film under review", () => {
  const tracksOf = (video: MadeElement) =>
    video.children.filter(({ name }) => name === "track").map(({ kind }) => kind);

  test("has its descriptions and what is said as tracks, those of now alone, and lets go of the others", async () => {
    const { one, video } = openPlayer(browser);
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
    // What is the same is left as it is: a player that reads it would begin again.
    const count = browser.revoked.length;
    one.show(reviewOf({ cues: CUES, acceptedIds: ["c1"] }));
    expect(browser.revoked).toHaveLength(count);
    one.show(null);
    expect(one.element.hidden).toBe(true);
  });

  test("has every line of its descriptions in one track, and every line that is said in the other", async () => {
    const { one, video } = openPlayer(browser);
    const dialogue = [3, 13, 23].map((start) => ({ start, end: start + 1, text: `Said at ${start}.` }));
    one.show(reviewOf({ dialogue }));
    const texts = await Promise.all(video.children.map(({ src }) => browser.blobs.get(String(src))?.text()));
    expect(texts.map((text) => text?.match(/(?:At|Said at) \d+\./g))).toEqual([
      CUES.map(({ text }) => text),
      dialogue.map(({ text }) => text),
    ]);
  });

  test("comes from this browser where it is here, else from an address that is asked for anew when it has ended", async () => {
    const near = openPlayer(browser, ["films/s1"]);
    near.one.show(reviewOf());
    await turns();
    expect([near.asked, String(near.video.src).startsWith("blob:")]).toEqual([[], true]);
    browser.made = [];
    const { one, video, asked, said } = openPlayer(browser);
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
    const { one, video, read } = openPlayer(browser);
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
    openPlayer(browser);
    const choices = browser.made.find(({ id }) => id === "hearing")?.children ?? [];
    expect(choices.map(({ value }) => value)).toEqual(["voice", "reader", "off"]);
    expect(new Set(choices.map(({ textContent }) => textContent)).size).toBe(3);
  });

  test("that nobody has any more, or that this browser cannot play, is told; the script is shown all the same", async () => {
    const { one, video, said, state } = openPlayer(browser);
    const told = () => said.filter((text) => text !== "");
    state.isGone = true;
    one.show(reviewOf());
    await turns();
    expect([told().length, video.src, one.element.hidden]).toEqual([1, undefined, false]);
    state.isGone = false;
    video.isBroken = true;
    one.toggle();
    await turns();
    expect([told().length, video.paused]).toEqual([2, true]);
    // Its address has ended, and meanwhile it has gone.
    state.isGone = true;
    await browser.clock.pass(61_000);
    video.happens("error");
    await turns();
    expect(told()).toEqual([told()[0], expect.not.stringMatching(String(told()[0])), told()[0]]);
  });

  test("is opened once, whatever of its lines changes, and stays where it was stopped when its address is renewed", async () => {
    const { one, video, asked } = openPlayer(browser);
    one.show(reviewOf());
    one.show(reviewOf({ cues: CUES.slice(1) }));
    await turns();
    expect(asked).toEqual(["s1"]);
    await browser.clock.pass(61_000);
    video.currentTime = 42;
    video.happens("error");
    await turns();
    expect([asked.length, video.currentTime, video.paused]).toEqual([2, 42, true]);
  });

  test("stands on the page with its voice, its line and the choice of how it is heard; its line is there at once", () => {
    const { one, video, voice } = openPlayer(browser);
    video.currentTime = 1.5;
    one.show(reviewOf());
    const line = browser.made.find(({ className }) => className === "spoken");
    expect(one.element.children).toEqual(expect.arrayContaining([video, voice, line]));
    expect(one.element.children.flatMap(({ children }) => children.map(({ id }) => id))).toContain("hearing");
    expect(line?.textContent).toBe("At 1.");
  });

  test("is put away until there is one, and is told apart by whoever hears the page", () => {
    const { one, video } = openPlayer(browser);
    expect(one.element).toMatchObject({ id: "player", hidden: true, "aria-label": pageWords.player });
    expect(video).toMatchObject({ controls: true, preload: "metadata", "aria-label": pageWords.film });
    one.show(reviewOf());
    expect(one.element.hidden).toBe(false);
    one.show(null);
    expect(one.element.hidden).toBe(true);
  });

  test("is not opened again by a review that is the same", async () => {
    const { one, asked, video } = openPlayer(browser);
    const review = reviewOf();
    one.show(review);
    await turns();
    const { src } = video;
    video.currentTime = 5.5;
    const children = video.children.length;
    for (let again = 0; again < 3; again++) one.show(review);
    await turns();
    expect([asked.length, video.src, video.children.length]).toEqual([1, src, children]);
  });

  test("tells what hinders it at once, before what is being said", async () => {
    const { one, state, urgent } = openPlayer(browser);
    state.isGone = true;
    one.show(reviewOf());
    await turns();
    expect(urgent.slice(-1)).toEqual([{ text: pageWords.filmGone, isUrgent: true, topic: "film" }]);
  });

  test("that was put away while it was looked for is not opened", async () => {
    const { one, video } = openPlayer(browser);
    one.show(reviewOf());
    one.show(null);
    await turns();
    expect(video.src).toBeUndefined();
  });
});
