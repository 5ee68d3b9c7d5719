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
