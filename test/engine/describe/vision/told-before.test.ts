import { expect, test } from "vitest";
import type { WrittenDescription } from "../../../../src/engine/describe/describer.ts";
import { look } from "../../../../src/engine/describe/vision/look.ts";
import type { Scene } from "../../../../src/engine/describe/vision/scenes.ts";
import { LATEST_LINES, SpokenSoFar } from "../../../../src/engine/describe/vision/wording.ts";
import { startDescribingModel } from "../../../fakes/describing-model.ts";
import { describeRequest, filmRequest, SMALL_FILM, SMALL_FILM_SHOWS } from "../describe-request.ts";
import { askerOf } from "./asker-of.ts";
import { eventAt } from "./event-at.ts";

const { signal } = new AbortController();
const line = (index: number, text: string): WrittenDescription => ({
  ...{ id: `cue-${index}`, wordings: [text], importance: 1 },
  picture: { start: index, end: index + 1 },
});
const scene = (...seen: readonly string[]): Scene => ({
  ...{ start: 0, end: 1, words: 9 },
  beats: seen.map((what, index) => ({ start: 0, end: 1, words: 9, events: [eventAt(index + 1, 0, what)] })),
});

/** A request in which every line is spoken but those that are said to have no place. */
const request = {
  ...describeRequest(SMALL_FILM),
  rehearse: async (lines: readonly WrittenDescription[]) => ({
    spoken: lines
      .filter(({ wordings }) => wordings[0] !== "No place.")
      .map(({ id, wordings: [text = ""], picture }) => ({ id, text, ...picture })),
    unspoken: [],
  }),
};

test("a scene is told the latest forty lines, and twenty older ones that speak of what is seen in it", async () => {
  const spoken = new SpokenSoFar(request, signal);
  const texts = Array.from({ length: 130 }, (_, index) =>
    index % 2 === 0 ? `The sailor yawns at ${index}.` : `Rain falls, ${index}.`,
  );
  for (let from = 0; from < texts.length; from += 10) {
    await spoken.add(texts.slice(from, from + 10).map((text, index) => line(from + index, text)));
  }
  await spoken.add([line(130, "No place.")]);
  for (const text of texts) expect(spoken.has(text.toUpperCase())).toBe(true);
  expect(spoken.has("No place.")).toBe(false);
  const latest = texts.slice(-LATEST_LINES);
  const older = texts.slice(0, -LATEST_LINES).filter((text) => text.includes("sailor"));
  expect(LATEST_LINES).toBe(40);
  expect(spoken.before(scene("a boat", "the sailors are yawning"))).toEqual([...older.slice(0, 20), ...latest]);
  expect(spoken.before(scene("a boat"))).toEqual(latest);
});

test("an older line is told where any of its words is of anything that is seen, the most alike first", async () => {
  const spoken = new SpokenSoFar(request, signal);
  const older = ["Slowly the sailor yawns.", "Rain falls upon harbour walls.", "Gulls scream."];
  const others = Array.from({ length: LATEST_LINES }, (_, index) => `Number ${index}.`);
  await spoken.add([...older, ...others].map((text, index) => line(index, text)));
  const seen = (...whats: readonly string[]): Scene => {
    const events = whats.map((what, index) => eventAt(index + 1, 0, what));
    return { ...scene(), beats: [{ start: 0, end: 1, words: 9, events }] };
  };
  expect(spoken.before(seen("a boat", "some people yawning"))).toEqual([older[0], ...others]);
  expect(spoken.before(seen("the grey harbour", "gulls"))).toEqual([older[1], older[2], ...others]);
});

test("the places of the last forty lines stay open, and not many more are asked about again", async () => {
  const asked: number[] = [];
  const counting: typeof request = {
    ...request,
    rehearse: async (lines) => {
      asked.push(lines.length);
      return await request.rehearse(lines);
    },
  };
  const spoken = new SpokenSoFar(counting, signal);
  for (let index = 0; index < 122; index++) await spoken.add([line(index, `Number ${index}.`)]);
  await spoken.add([]);
  expect(asked.slice(0, 81)).toEqual(Array.from({ length: 81 }, (_, index) => index + 1));
  expect(asked.slice(81)).toEqual([...Array.from({ length: 41 }, (_, index) => index + 41), 40]);
});

test("what is seen ends half the way to the next picture, or at the cut before it", async () => {
  const model = await startDescribingModel(SMALL_FILM_SHOWS);
  const film = await filmRequest(SMALL_FILM);
  const { events } = await look(film, await askerOf(model, film, { pictures: 6 }), { notes: [], onDone: () => {} });
  const ends = film.shots.map(({ end }) => end);
  expect(events.map(({ what }) => what)).toEqual(SMALL_FILM_SHOWS.map(({ what }) => what));
  for (const { seen } of events) {
    const cut = ends.find((end) => end > seen.start) ?? 40;
    // There is a picture every two seconds.
    expect(seen.end).toBe(Math.min(cut, seen.start + 1));
  }
});
