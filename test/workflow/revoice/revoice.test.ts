import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { DEFAULT_SETTINGS, type Voicing } from "../../../src/core/settings.ts";
import { readCues } from "../../../src/formats/index.ts";
import { staleCues, voicedCues } from "../../../src/result/stale.ts";
import { type ScriptLayout, type ScriptMemory, scriptLayout } from "../../../src/workflow/describe/given-script.ts";
import {
  type Revoicing,
  recordAfterRevoicing,
  revoicedCues,
  revoiceOrder,
} from "../../../src/workflow/revoice/revoice.ts";
import { json } from "../../fakes/hosted-server.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { hostedRun } from "../hosted-run.ts";

const CUES: readonly Cue[] = [
  { id: "cue-0001", start: 1, end: 2.5, text: "A woman sits at a desk." },
  { id: "cue-0002", start: 4, end: 5, text: "She opens a letter." },
];
const GRID = { rate: frameRate(25), isDropFrame: false, startFrame: 90_000 };
const VOICING: Voicing = {
  track: "ad_only",
  narrationGainDb: 3.25,
  trackGainDb: -1,
  lines: [{ words: "x", start: 1, seconds: 1.5, rate: 1.05 }],
};
const RECORD = placedResult(
  CUES,
  { revision: 4, durationSeconds: 6, voiced: voicedCues(CUES, DEFAULT_SETTINGS) },
  { clipNames: ["aside-narration.wav"] },
);
const asked = (change: Partial<Revoicing>) =>
  revoiceOrder({ record: RECORD, cues: CUES, settings: DEFAULT_SETTINGS, grid: GRID, ...change });

describe("what is asked for", () => {
  test("our service gets the script with every time, and what all lines share", () => {
    const { settings, scripts, track } = asked({ record: { ...RECORD, voicing: VOICING } });
    expect(settings.voicing).toEqual(VOICING);
    expect(readCues(settings.script ?? "").cues).toEqual(CUES);
    expect([scripts, track]).toEqual([undefined, "ad_only"]);
    expect(asked({ isOurService: true }).settings.voicing).toEqual({ track: "ad_only", lines: [] });
  });

  test("another volume finds its gain anew, another voice everything", () => {
    const record = { ...RECORD, voicing: VOICING };
    const { trackGainDb: _, ...rest } = VOICING;
    const louder = { ...DEFAULT_SETTINGS, volume: { option: "auto" } as const };
    expect(asked({ record, settings: louder }).settings.voicing).toEqual(rest);
    const other = { ...DEFAULT_SETTINGS, voice: "Kore" };
    expect(asked({ record, settings: other }).settings).toMatchObject({ voice: "Kore" });
    expect(asked({ record, settings: other }).settings.voicing).toEqual({ track: "ad_only", lines: [] });
  });

  test.each(["none", "ad_only", "mixed"] as const)(
    "of a result of %s, what it was described with stays; who speaks, and how loud, is what is wanted now",
    (track) => {
      const described = { ...RECORD.settings, instructions: "Be brief.", type: "extended", format: "edl" } as const;
      const loud = { option: "max", levelDbfs: -3 } as const;
      const record = { settings: { ...described, volume: loud }, track };
      const wanted = { language: "de-DE", voice: "Kore" };
      const kept = { ...described, type: "standard", format: "vtt", ...wanted };
      for (const isOurService of [true, false]) {
        const order = asked({ record, settings: wanted, isOurService });
        expect(order.track).toBe(track === "none" ? "ad_only" : track);
        const { script, voicing, ...settings } = order.settings;
        expect(settings).toEqual(isOurService ? kept : { ...kept, autoFit: false });
        if (isOurService) expect([script, voicing?.track]).toEqual([expect.stringMatching(/^WEBVTT/), order.track]);
        else expect([script, voicing]).toEqual([undefined, undefined]);
        const louder = asked({ record, settings: { ...wanted, volume: loud }, isOurService });
        expect(louder.settings.volume).toEqual(loud);
      }
    },
  );

  test("a script says which language it is in", () => {
    const settings = { ...DEFAULT_SETTINGS, language: "de-DE" };
    const scripts = asked({ settings }).scripts ?? [];
    const ours = asked({ settings, isOurService: true }).settings.script;
    expect(ours).toMatch(/^Language: de-DE$/m);
    expect(scripts.find(({ layout }) => layout === "vtt")?.content).toBe(ours);
  });

  test("lines are kept in one voice and one language only, gains where they hold", () => {
    const record = { ...RECORD, voicing: VOICING };
    const { track, lines } = VOICING;
    expect(asked({ record, settings: { ...DEFAULT_SETTINGS, language: "de-DE" } }).settings.voicing).toEqual({
      track,
      lines: [],
    });
    const bare = { ...RECORD, voicing: { track, lines } };
    expect(asked({ record: bare }).settings.voicing).toEqual({ track, lines });
    // A mix is told what it is, whatever was made before.
    expect(asked({ record: { ...record, track: "mixed" } }).settings.voicing?.track).toBe("mixed");
  });

  test("any other service gets the whole script in three layouts, and fits nothing anew", () => {
    const { settings, scripts = [] } = asked({});
    expect(settings).toMatchObject({ autoFit: false });
    expect(settings.script).toBeUndefined();
    expect(scripts.map(({ layout }) => layout)).toEqual(["edl", "vtt", "plaintext"]);
    for (const { layout } of scripts) expect(scriptLayout(layout)).toBe(layout);
    expect(scriptLayout("srt")).toBeNull();
    for (const { content } of scripts) {
      const { cues } = readCues(content, { grid: GRID, durationSeconds: 6 });
      expect(cues.map(({ text }) => text)).toEqual(CUES.map(({ text }) => text));
      for (const [index, cue] of cues.entries()) expect(cue.start).toBeCloseTo(CUES[index]?.start ?? 0, 1);
    }
  });
});

/** A server's memory that lasts from run to run. */
function memory(): ScriptMemory & { layout: ScriptLayout | null } {
  return {
    layout: null,
    async last() {
      return this.layout;
    },
    async took(layout) {
      this.layout = layout;
    },
  };
}

describe("a server that says nowhere which layout it takes", () => {
  const refusal = json({ error: "invalid_input", message: "description_content: unknown layout" }, 400);

  test.each([
    [0, "edl", /^TITLE:/m],
    [1, "vtt", /^WEBVTT/],
    [2, "plaintext", /^\[?00:0/],
  ] as const)(
    "is asked until it takes one, after %i refusals %s, and is asked so the next time",
    async (count, layout, form) => {
      const { server, ports, run } = await hostedRun();
      const scriptMemory = memory();
      const hosted = { ...ports, scriptMemory };
      server.faults.generateAudio = Array.from({ length: count }, () => refusal);
      const { settings, scripts, track } = asked({});
      const order = { settings, track, ...(scripts === undefined ? {} : { scripts }) };
      const {
        result: { notices },
      } = await run(order, undefined, hosted);
      const sent = () =>
        server.bodies("generateAudio").map((body) => JSON.parse(JSON.stringify(body)).generation_config);
      expect(sent()).toHaveLength(count + 1);
      expect(sent().at(-1)).toMatchObject({ description_content: expect.stringMatching(form), auto_fit: false });
      expect(scriptMemory.layout).toBe(layout);
      expect(notices.some((notice) => notice.includes("did not take the script as an EDL"))).toBe(count > 0);
      expect(server.accepted).toBe(1);

      await run({ ...order, runId: "run-2" }, undefined, hosted);
      expect(sent()).toHaveLength(count + 2);
      expect(sent().at(-1).description_content).toMatch(form);
    },
  );

  test("one that takes none fails with its own words, and nothing is remembered", async () => {
    const { server, ports, run } = await hostedRun();
    const scriptMemory = memory();
    server.faults.generateAudio = [refusal, refusal, refusal];
    const { settings, scripts = [], track } = asked({});
    const failing = run({ settings, scripts, track }, undefined, { ...ports, scriptMemory });
    await expect(failing).rejects.toMatchObject({ code: "invalid_input", status: 400 });
    expect(server.bodies("generateAudio")).toHaveLength(3);
    expect(scriptMemory.layout).toBeNull();
  });

  test("another fault ends it at once", async () => {
    const { server, ports, run } = await hostedRun();
    server.faults.generateAudio = [json({ error: "invalid_input", message: "voice: unknown" }, 400)];
    const { settings, scripts = [], track } = asked({});
    await expect(run({ settings, scripts, track }, undefined, ports)).rejects.toMatchObject({ code: "invalid_input" });
    expect(server.bodies("generateAudio")).toHaveLength(1);
  });
});

describe("what was voiced", () => {
  test("keeps the editor's words and exact starts, and ends where the narration ends", () => {
    const mine = [{ ...CUES[0], id: "cue-0001", start: 1.02, end: 2.5, text: "Mine." }, ...CUES.slice(1)] as Cue[];
    const result = [{ id: "1", start: 1.02, end: 1.9, text: "Mine." }, ...CUES.slice(1)];
    const { cues, notices } = revoicedCues(mine, result, DEFAULT_SETTINGS);
    expect(cues).toEqual([{ id: "cue-0001", start: 1.02, end: 1.9, text: "Mine." }, CUES[1]]);
    expect(notices).toEqual([]);
  });

  test("says what the service moved or left out", () => {
    const { cues, voiced, notices } = revoicedCues(
      [...CUES, { id: "n", start: 5.5, end: 6, text: "New." }, { id: "o", start: 6, end: 6.5, text: "Other." }],
      CUES.map(({ start, end, text }, index) => ({ id: `${index}`, start: start + 0.4, end: end + 0.4, text })),
      DEFAULT_SETTINGS,
    );
    expect(cues[0]).toMatchObject({ start: 1.4, end: 2.9 });
    expect(Object.keys(voiced)).toEqual(["cue-0001", "cue-0002"]);
    expect(notices).toEqual([
      "The service moved cue-0001, cue-0002; the cues are where they are heard.",
      "The service did not voice n, o.",
    ]);
  });

  test("is within a frame where the cue was, and any further where it is heard; a cue never ends before it begins", () => {
    const shifts = fc.array(
      fc.record({
        by: fc.constantFrom(-0.3, -0.0211, -0.0209, 0, 0.0209, 0.0211, 0.3),
        longer: fc.constantFrom(-4, -0.5, -0.0021, -0.0019, 0, 0.0019, 0.0021, 0.5),
      }),
      { minLength: 1, maxLength: 8 },
    );
    const law = fc.property(shifts, (all) => {
      const cues = all.map((_, index) => ({
        id: `c${index}`,
        start: 10 * index + 5,
        end: 10 * index + 7,
        text: `W ${index}.`,
      }));
      const heard = all.map(({ by, longer }, index) => {
        const cue = cues[index] as Cue;
        return { ...cue, id: `${index}`, start: cue.start + by, end: cue.end + by + longer };
      });
      const revoiced = revoicedCues(cues, heard.toReversed(), DEFAULT_SETTINGS);
      for (const [index, { by, longer }] of all.entries()) {
        const [was, now, sound] = [cues[index], revoiced.cues[index], heard[index]] as [Cue, Cue, Cue];
        const isInPlace = Math.abs(by) < 0.021;
        expect(now.start).toBe(isInPlace ? was.start : sound.start);
        const isAsLong = isInPlace && Math.abs(by + longer) < 0.002;
        expect(now.end).toBe(isAsLong ? was.end : Math.max(now.start, sound.end));
        expect(revoiced.moved.includes(was.id)).toBe(!isInPlace);
      }
      expect(revoiced.missing).toEqual([]);
      expect(staleCues({ voiced: revoiced.voiced, track: "ad_only" }, revoiced.cues, DEFAULT_SETTINGS)).toEqual([]);
    });
    fc.assert(law);
  });

  test("is in order of time though the service put a cue before another one", () => {
    const [first, second] = CUES as [Cue, Cue];
    const { cues, moved } = revoicedCues(CUES, [{ ...first, start: 5.2, end: 5.9 }, second], DEFAULT_SETTINGS);
    expect(cues.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(moved).toEqual([first.id]);
  });

  test("a record after it says who speaks now, as loud as is wanted now; what was heard before stays", () => {
    const settings = { language: "de-DE", voice: "Kore" };
    const volume = { option: "auto" } as const;
    const heard = { speech: [{ start: 2, end: 3 }], music: [{ start: 4, end: 5 }] };
    const revoiced = revoicedCues(CUES, CUES, settings);
    const recorded = (
      record: Partial<typeof RECORD>,
      change: Partial<Parameters<typeof recordAfterRevoicing>[2]> = {},
    ) =>
      recordAfterRevoicing({ ...RECORD, ...record }, revoiced, {
        runId: "run-2",
        result: { jobId: "job-2" },
        settings,
        clipNames: ["a.wav"],
        ...change,
      });
    const before = { voicing: VOICING, settings: { ...RECORD.settings, volume }, ...heard };
    const next = recorded(before);
    expect(next.settings).toEqual({ ...RECORD.settings, ...settings });
    expect(next).toMatchObject({ ...heard, cues: CUES, voiced: voicedCues(CUES, settings) });
    expect(next.placed).toEqual({ ...RECORD.placed, clipNames: ["a.wav"] });
    expect(next).not.toHaveProperty("voicing");
    expect(recorded({})).not.toHaveProperty("speech");
    expect(recorded({}, { settings: { ...settings, volume } }).settings.volume).toEqual(volume);
    const [speech, music] = [[{ start: 7, end: 8 }], []];
    expect(recorded(before, { result: { jobId: "job-2", speech, music } })).toMatchObject({ speech, music });
    expect(["none", "ad_only", "mixed"].map((track) => recorded({ track } as Partial<typeof RECORD>).track)).toEqual([
      "ad_only",
      "ad_only",
      "mixed",
    ]);
  });

  test("nothing is stale afterwards, and what the service once wrote stays known", () => {
    const cues = [{ ...CUES[0], id: "cue-0001", start: 1, end: 2.5, text: "Mine." }, ...CUES.slice(1)] as Cue[];
    expect(staleCues(RECORD, cues, DEFAULT_SETTINGS)).toHaveLength(1);
    const revoiced = revoicedCues(cues, cues, DEFAULT_SETTINGS);
    const next = recordAfterRevoicing(RECORD, revoiced, {
      runId: "run-2",
      result: { jobId: "job-2", voicing: VOICING },
      settings: DEFAULT_SETTINGS,
      clipNames: [],
    });
    expect(next).toMatchObject({ revision: 5, runId: "run-2", jobId: "job-2", generated: CUES, voicing: VOICING });
    expect(staleCues(next, next.cues, next.settings)).toEqual([]);
  });
});
