import { describe, expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { readReply } from "../../../src/workflow/describe/describe.ts";
import { readGivenTexts } from "../../../src/workflow/describe/given-texts.ts";

describe("texts that are given with a run", () => {
  const vtt = (words: string) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${words}\n`;

  test("are read as what they are, each for itself", () => {
    const captions = { content: vtt("Hello."), format: "vtt" } as const;
    const given = readGivenTexts({ captions, script: vtt("A door opens.") });
    expect(given.captions?.map(({ text }) => text)).toEqual(["Hello."]);
    expect(given.script?.map(({ text, start }) => [text, start])).toEqual([["A door opens.", 1]]);
    expect(given.unreadScript).toEqual([]);
    expect(readGivenTexts({})).toEqual({ asUnderstood: {}, told: [], unreadScript: [] });
  });

  test("no line of a script is dropped in silence: each that has no time is named by its place and its words", () => {
    const long = `Somebody ${"waits ".repeat(30)}.`;
    const { script, unreadScript } = readGivenTexts({
      script: `00:00:01 A door opens.\n00:99:99 ${long}\n00:00:05 Rain.\n`,
    });
    expect(script?.map(({ text }) => text)).toEqual(["A door opens.", "Rain."]);
    const several = readGivenTexts({
      script: "00:00:01 A door opens.\n00:99:99 He waits.\n00:00:05 Rain.\n00:98:99 It stops.\n",
    });
    expect(several.unreadScript.map(({ message }) => /“(.*)”/.exec(message)?.[1])).toEqual([
      "00:99:99 He waits.",
      "00:98:99 It stops.",
    ]);
    expect(unreadScript).toEqual([
      { rule: "script-unread", severity: "warn", cueIds: [], message: expect.stringContaining("line 2 of the script") },
    ]);
    expect(unreadScript[0]?.message).toContain("“00:99:99 Somebody waits");
    // Told by its beginning: no finding is as long as a page.
    expect(unreadScript[0]?.message.length).toBeLessThan(180);
    // What says no words loses none.
    expect(readGivenTexts({ script: "00:00:01 A door opens.\n00:99:99 ...\n" }).unreadScript).toEqual([]);
  });

  test.each([
    [
      "captions",
      { captions: { content: "WEBVTT\n\nSTYLE\na\n\n00:xx --> 00:05.000\nBad.\n" } },
      /^the times.*\(line 6\)$/,
    ],
    ["script", { script: "WEBVTT\n\n00:xx --> 00:05.000\nBad.\n" }, /^the times.*\(line 3\)$/],
    ["captions", { captions: { content: "WEBVTT\n\nNOTE a\n" } }, /^no cue was found$/],
    ["script", { script: "" }, /^there is nothing to read$/],
  ] as const)("%s that cannot be read say why, and where", (name, settings, message) => {
    expect(() => readGivenTexts(settings)).toThrow(
      expect.objectContaining({ code: `${name}_unreadable`, message: expect.stringMatching(message) }),
    );
  });

  test.each(["captions", "script"] as const)(
    "%s without a line that can be read end the run before it costs anything",
    (name) => {
      const text = "nothing that has a time\n";
      const settings = name === "script" ? { script: text } : { captions: { content: text, format: "srt" } as const };
      expect(() => readGivenTexts(settings)).toThrow(expect.objectContaining({ code: `${name}_unreadable` }));
    },
  );
});

describe("the text of a reply", () => {
  const sequence = {
    id: "s",
    name: "S",
    rate: frameRate(25),
    isDropFrame: false,
    startFrame: 90_000,
    durationSeconds: 60,
  };
  const read = (content: string, format: "edl" | "vtt" | null, askedFormat: "edl" | "vtt" = "vtt") =>
    readReply({ format, content }, { sequence, exported: { offsetSeconds: 10, durationSeconds: 50 }, askedFormat });
  const edl =
    "TITLE: A\nFCM: NON-DROP FRAME\n\n001  AX  V  C  01:00:11:00 01:00:13:00 01:00:11:00 01:00:13:00\n* COMMENT: A door opens.\n";

  test("counts frames at the sequence's rate, from where the export began", () => {
    const { cues, format } = read(edl, "edl");
    expect([format, cues.map(({ start, end, text }) => [start, end, text])]).toEqual([
      "edl",
      [[1, 3, "A door opens."]],
    ]);
  });

  test("is what was asked for where the reply does not say, and a plain text where it is nothing else", () => {
    expect(read(edl, null, "edl").cues).toHaveLength(1);
    const plain = read("00:00:01 A door opens.\n00:00:04 Rain.\n", null);
    expect([plain.format, plain.cues.map(({ start }) => start)]).toEqual(["txt", [1, 4]]);
  });
});
