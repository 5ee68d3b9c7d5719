import { describe, expect, test } from "vitest";
import { worded } from "../../src/core/text.ts";

const said = worded({
  plain: "Close",
  named: "Goes to {host}, with {what}.",
  counted: "{cues} {cues:cue|cues} · {left:one left|several left}",
  inside: { again: "{name}, and {name}" },
  quotes: true,
  several: ["{name}.", "No more.", "{name}!"],
} as const);

describe("strings made ready for use", () => {
  test("keep what has no places as it is", () => {
    expect([said.plain, said.quotes]).toEqual(["Close", true]);
  });

  test("fill places by their names, wherever they stand", () => {
    expect(said.named({ host: "a.example", what: "$1 {host}" })).toBe("Goes to a.example, with $1 {host}.");
    expect(said.inside.again({ name: "A" })).toBe("A, and A");
  });

  test("are each ready in a list of several", () => {
    const each = said.several.map((one) => (typeof one === "string" ? one : one({ name: "A" })));
    expect(each).toEqual(["A.", "No more.", "A!"]);
  });

  test("choose words by the number, also where it is written out", () => {
    expect(said.counted({ cues: 1, left: 2 })).toBe("1 cue · several left");
    expect(said.counted({ cues: 0, left: "1" })).toBe("0 cues · one left");
  });

  test("want every place, and no other", () => {
    // @ts-expect-error a place is missing
    said.named({ host: "a" });
    // @ts-expect-error there is no such place
    said.inside.again({ name: "A", other: 1 });
  });
});
