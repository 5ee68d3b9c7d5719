import { describe, expect, test } from "vitest";
import { readMoments, readVoicedLine } from "../../src/client/reply.ts";
import { readReport } from "../../src/client/report-reply.ts";
import { judgeStorageReply } from "../../src/client/upload.ts";

/** A report with all that the contract knows, as our service writes it. */
const WHOLE = {
  describer: "vision",
  speech: [[1, 2, 0.9]],
  music: [[3, 4, 0.8]],
  silence: [[5, 6]],
  singing: [[3, 3.5]],
  shots: [0, 2.5],
  notes: ["a note"],
  stage_seconds: { analyse: 1.5 },
  dialogue: [{ start: 1, end: 2, text: "Who?", speaker: "Kim" }],
  wordings: [{ said: "A dog runs.", others: [{ text: "A dog.", seconds: 0.5 }] }],
  doubts: [{ said: "A dog.", confidence: 0.4, why: "it is dark" }],
  bible: "Kim: a sailor",
  lines_spoken: 3,
  mix: {
    channels: 2,
    integrated_lufs: -23,
    true_peak_dbtp: -2,
    voicing: {
      track: "mixed",
      narration_gain_db: 1,
      track_gain_db: 2,
      lines: [{ words: "w", start: 1, seconds: 2, rate: 1, programme_lufs: -30 }],
    },
    cues: [{ id: "a", narration_lufs: -23, programme_lufs: -30, ducked_db: 8, margin_lu: 15, over_music: true }],
  },
  video: {
    picture: "copied",
    encoded_seconds: 4,
    duration_seconds: 70,
    pauses: [{ at: 1, video_time: 1, seconds: 2 }],
    cues: [{ id: "a", start: 1, end: 3 }],
  },
  held: { duration_seconds: 70, pauses: [{ at: 1, video_time: 1, seconds: 2 }], cues: [{ id: "a", start: 1, end: 3 }] },
  to_write: [
    { id: "pause-1", start: 1, end: 3, words: 4, unit: "characters", hints: ["dark"], before: "b", after: "a" },
  ],
  left_out: [{ text: "A dog.", start: 1, end: 2, seconds: 3, reason: "too-long" }],
};
type Json = Readonly<Record<string, unknown>>;

/** The report with what stands at a path replaced; `undefined` leaves it out, as JSON does. */
function spoilt(path: readonly (string | number)[], value: unknown, whole: unknown = WHOLE): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(whole)) return whole.map((one, index) => (index === name ? spoilt(rest, value, one) : one));
  const object = whole as Json;
  return { ...object, [name]: spoilt(rest, value, object[name]) };
}
const read = (path: readonly (string | number)[], value: unknown) =>
  readReport(JSON.parse(JSON.stringify(spoilt(path, value)))) as unknown as Json | undefined;
const NONSENSE = [undefined, null, true, "", {}, []];

describe("the report of a job", () => {
  test("is read as it was written", () => {
    expect(readReport(WHOLE)).toEqual(WHOLE);
    for (const other of [null, "x", 7, [WHOLE]]) expect(readReport(other)).toBeUndefined();
  });

  test("that says nothing has nothing but empty lists", () => {
    const nothing = { describer: "", speech: [], music: [], silence: [], shots: [], notes: [], stage_seconds: {} };
    expect(readReport({})).toEqual(nothing);
    const all = Object.fromEntries(Object.keys(WHOLE).map((name) => [name, 7]));
    expect(readReport(all)).toEqual({ ...nothing, describer: "7", bible: "7", lines_spoken: 7 });
  });

  test.each([
    ["dialogue", ["start", "end", "text"]],
    ["to_write", ["id", "start", "end", "words"]],
    ["left_out", ["text", "start", "end", "seconds", "reason"]],
    ["doubts", ["said"]],
  ])("an entry of %s without any of %j is left out, and the list where nothing is left", (list, names) => {
    for (const name of names) {
      for (const value of NONSENSE) expect(read([list, 0, name], value)).not.toHaveProperty(list);
    }
    for (const value of NONSENSE) {
      expect(read([list], value)).not.toHaveProperty(list);
      const among = read([list], [value, ...((WHOLE as Json)[list] as unknown[])]);
      expect(among).toEqual(WHOLE);
    }
  });

  test("what may be missing may be nonsense", () => {
    for (const value of NONSENSE) {
      expect(read(["dialogue", 0, "speaker"], value)?.["dialogue"]).toEqual([{ start: 1, end: 2, text: "Who?" }]);
      expect(read(["doubts", 0, "confidence"], value)?.["doubts"]).toMatchObject([{ confidence: 0 }]);
      expect(read(["doubts", 0, "why"], value)?.["doubts"]).toMatchObject([{ why: "" }]);
      expect(read(["to_write", 0, "unit"], value)?.["to_write"]).toEqual([
        { id: "pause-1", start: 1, end: 3, words: 4, hints: ["dark"], before: "b", after: "a" },
      ]);
      for (const name of ["before", "after"]) {
        const [pause] = (read(["to_write", 0, name], value)?.["to_write"] ?? []) as Json[];
        expect(pause).toBeDefined();
        expect(pause).not.toHaveProperty(name);
      }
      expect(read(["wordings", 0, "said"], value)?.["wordings"]).toMatchObject([{ said: "" }]);
      for (const name of ["text", "seconds"]) {
        expect(read(["wordings", 0, "others", 0, name], value)?.["wordings"]).toMatchObject([{ others: [] }]);
      }
      expect(read(["video", "picture"], value)?.["video"]).toMatchObject({ picture: "encoded" });
      expect(read(["video", "encoded_seconds"], value)?.["video"]).not.toHaveProperty("encoded_seconds");
    }
    for (const hint of [7, null, {}]) expect(read(["to_write", 0, "hints"], ["dark", hint])).toEqual(WHOLE);
    for (const note of [7, null, {}]) expect(read(["notes"], ["a note", note])).toEqual(WHOLE);
    for (const seconds of ["1", null, {}]) {
      expect(read(["stage_seconds"], { analyse: 1.5, mix: seconds })).toEqual(WHOLE);
    }
    expect(read(["shots"], [0, "1", null, 2.5])).toEqual(WHOLE);
    const unlisted = read(["left_out", 0, "reason"], "because");
    expect(unlisted).not.toHaveProperty("left_out");
  });

  test("a mix says what it can; half of what it used for its lines is nothing", () => {
    const mixWith = (path: readonly (string | number)[], value: unknown) =>
      read(["mix", ...path], value)?.["mix"] as Json;
    for (const value of NONSENSE) {
      expect(mixWith(["channels"], value)).toMatchObject({ channels: 0 });
      for (const name of ["integrated_lufs", "true_peak_dbtp"])
        expect(mixWith([name], value)).toMatchObject({ [name]: null });
      const cue = (name: string) => mixWith(["cues", 0, name], value)["cues"];
      expect(cue("id")).toMatchObject([{ id: "" }]);
      expect(cue("narration_lufs")).toMatchObject([{ narration_lufs: Number.NaN }]);
      expect(cue("ducked_db")).toMatchObject([{ ducked_db: 0 }]);
      for (const name of ["programme_lufs", "margin_lu"]) expect(cue(name)).toMatchObject([{ [name]: null }]);
      if (value !== true) expect(cue("over_music")).toMatchObject([{ over_music: false }]);
      for (const name of ["track", "lines"]) {
        const voicing = mixWith(["voicing", name], value);
        if (name === "track") expect(voicing).not.toHaveProperty("voicing");
        else expect(voicing["voicing"]).toMatchObject({ lines: [] });
      }
      for (const name of ["words", "start", "seconds", "rate"]) {
        expect(mixWith(["voicing", "lines", 0, name], value)).not.toHaveProperty("voicing");
      }
      for (const name of ["narration_gain_db", "track_gain_db"]) {
        expect(mixWith(["voicing", name], value)["voicing"]).not.toHaveProperty(name);
      }
      expect(mixWith(["voicing"], value)).not.toHaveProperty("voicing");
    }
    expect(mixWith(["voicing", "track"], "ad_only")["voicing"]).toMatchObject({ track: "ad_only" });
    expect(mixWith(["voicing", "lines", 0, "programme_lufs"], null)["voicing"]).toMatchObject({
      lines: [{ programme_lufs: null }],
    });
    const silent = mixWith(["voicing", "lines", 0, "programme_lufs"], undefined)["voicing"] as Json;
    expect((silent["lines"] as Json[])[0]).not.toHaveProperty("programme_lufs");
    for (const value of [null, 7, []]) expect(read(["mix"], value)).not.toHaveProperty("mix");
  });

  test.each(["video", "held"])("half a clock of %s is worse than none", (name) => {
    for (const value of NONSENSE) {
      expect(read([name, "duration_seconds"], value)).not.toHaveProperty(name);
      for (const part of ["at", "video_time", "seconds"]) {
        expect(read([name, "pauses", 0, part], value)).not.toHaveProperty(name);
      }
      for (const part of ["id", "start", "end"]) expect(read([name, "cues", 0, part], value)).not.toHaveProperty(name);
      if (!Array.isArray(value) || value.length > 0) {
        expect(read([name, "pauses"], value)?.[name]).toMatchObject({ pauses: [], cues: [{ id: "a" }] });
      }
    }
    for (const value of [null, 7, []]) expect(read([name], value)).not.toHaveProperty(name);
  });

  test("what was heard needs both its ends; how sure it is may be left out", () => {
    for (const name of ["speech", "music"]) {
      expect(read([name], [[1, 2], [3], "4", null, ["a", "b"], [5, 6, 0.5]])?.[name]).toEqual([
        [1, 2, 1],
        [5, 6, 0.5],
      ]);
    }
    expect(read(["silence"], [[1, 2, 3], [3], [], 4, null])?.["silence"]).toEqual([[1, 2]]);
  });
});

describe("a line that was voiced at once", () => {
  const LINE = { audio: "AQID", sha256: "h", seconds: 1.5, rate: 1.1, fits: true };
  test("is read whole or not at all", () => {
    expect(readVoicedLine(LINE)).toEqual({
      wave: new Uint8Array([1, 2, 3]),
      sha256: "h",
      seconds: 1.5,
      rate: 1.1,
      fits: true,
    });
    for (const name of ["audio", "sha256", "seconds", "rate"]) {
      for (const value of [undefined, null, {}, true, ""])
        expect(readVoicedLine({ ...LINE, [name]: value })).toBeNull();
    }
    expect(readVoicedLine({ ...LINE, audio: "AQI" })).toBeNull();
    for (const fits of [false, "true", 1, undefined]) expect(readVoicedLine({ ...LINE, fits })?.fits).toBe(false);
  });
});

describe("pictures of moments", () => {
  const PICTURE = { at: 1, time: 1.04, width: 320, height: 180, jpeg: "AQID/+==" };
  test("are read one by one; one that is not whole, or holds what is no picture, is left out", () => {
    for (const name of Object.keys(PICTURE)) {
      for (const value of [undefined, null, {}, true, ""]) {
        expect(readMoments({ pictures: [PICTURE, { ...PICTURE, [name]: value }, null, 7, PICTURE] })).toEqual([
          PICTURE,
          PICTURE,
        ]);
      }
    }
    for (const jpeg of ["a b", '"><', "AQ=ID", "=", "data:x"])
      expect(readMoments({ pictures: [{ ...PICTURE, jpeg }] })).toEqual([]);
    expect(readMoments({})).toEqual([]);
  });
});

describe("what storage answers", () => {
  const verdict = (status: number, body = "") => judgeStorageReply({ status, body }, 0);
  const xml = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;

  test("is stored, later, a new address, or refused, whatever its words", () => {
    const kinds = [200, 201, 299, 300, 199, 400, 403, 404, 408, 412, 413, 429, 499, 500, 503].map(
      (status) => verdict(status).kind,
    );
    expect(kinds).toEqual([
      "stored", "stored", "stored", "new-address", "new-address", "new-address", "new-address", "new-address",
      "later", "new-address", "refused", "later", "new-address", "later", "later",
    ]); // biome-ignore format: a table reads better in rows
    expect(verdict(403, xml("AccessDenied"))).toEqual({ kind: "new-address", storageCode: "AccessDenied" });
    expect(verdict(503, xml("SlowDown"))).toEqual({ kind: "later", storageCode: "SlowDown" });
    for (const code of ["EntityTooLarge", "MaxMessageLengthExceeded"]) {
      expect(verdict(400, xml(code))).toEqual({ kind: "refused", storageCode: code });
    }
    expect(verdict(403, "<Code>no code?</Code>")).toEqual({ kind: "new-address" });
  });

  test("in our service's own language counts where a fresh address would meet it again", () => {
    for (const code of ["file_too_large", "video_too_long", "no_video_stream", "plan_limit_exceeded"]) {
      const said = verdict(415, JSON.stringify({ error: code, message: "Sentence." }));
      expect(said).toMatchObject({ kind: "service-error", error: { code } });
    }
    for (const body of ['{"error":"not_found"}', '{"error":7}', "{", "null", "[]"])
      expect(verdict(400, body).kind).toBe("new-address");
  });
});
