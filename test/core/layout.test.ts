import { describe, expect, test } from "vitest";
import { layoutOf } from "../../src/core/layout.ts";

describe("the layout of a timeline", () => {
  test("the layout names no place on this computer, and leaves our own track out", () => {
    const clip = {
      start: 0,
      end: 5,
      name: "harbour.mp4",
      isEnabled: true,
      sourceStart: 2,
      speed: 1,
      source: {
        kind: "media",
        name: "harbour.mp4",
        location: "/Users/kim/secret/harbour.mp4",
        hasVideo: true,
        audioChannels: 0,
      },
      effects: [],
      markers: [],
    } as const;
    const track = (kind: "video" | "audio", name: string) => ({
      kind,
      name,
      isEnabled: true,
      clips: [clip],
      transitions: [],
    });
    const layout = layoutOf(
      {
        name: "Harbour",
        rate: { numerator: 25, denominator: 1 },
        isDropFrame: false,
        startFrame: 0,
        tracks: [track("video", "Video 1"), track("audio", "Audio description")],
        markers: [],
      },
      "Audio description",
    );
    expect(layout).toMatchObject([{ kind: "video", track: 0, name: "harbour.mp4", start: 0, end: 5, sourceStart: 2 }]);
    expect(JSON.stringify(layout)).not.toContain("secret");
  });
});
