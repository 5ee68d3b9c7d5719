import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { markerComment, markerTag, readMarkerComment, wordsOfComment } from "../../src/core/cue.ts";

describe("the tag in a marker's comment", () => {
  test("PANEL-29: stands below the words and gives both back", () => {
    const text = "She opens the letter – “At last”, it says.";
    expect(readMarkerComment(markerComment("cue-0001", text))).toEqual({ cueId: "cue-0001", text });
  });

  test("a comment that an editor changed still gives its words, one of somebody else gives nothing", () => {
    expect(readMarkerComment("First line\r\nsecond  \n\nAD·cue-0007 \n")).toEqual({
      cueId: "cue-0007",
      text: "First line\nsecond",
    });
    expect(readMarkerComment("Before.\nAD·cue-0007\nAfter.")).toEqual({ cueId: "cue-0007", text: "Before.\nAfter." });
    expect(readMarkerComment("One.\nAD·a\nTwo.\nAD·b")).toEqual({ cueId: "b", text: "One.\nTwo." });
    for (const other of ["", "Check colour here", "AD·", "see AD·cue-0001", "AD·two words"]) {
      expect(readMarkerComment(other)).toBeNull();
    }
  });

  test("gives back any id", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (id) => {
        expect(readMarkerComment(`Words.\n${markerTag(id)}`)).toEqual({ cueId: id, text: "Words." });
      }),
    );
  });

  test("words typed behind the tag are not lost on a marker that is known", () => {
    expect(wordsOfComment("She sits.\nAD·a and waits.", "a")).toBe("She sits.\n and waits.");
    expect(wordsOfComment("She sits.", "a")).toBe("She sits.");
  });
});
