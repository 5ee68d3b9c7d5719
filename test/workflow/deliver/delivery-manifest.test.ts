import { describe, expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { signOff } from "../../../src/result/sign-off.ts";
import { deliveryManifest, disclosureOf, narrationVoice } from "../../../src/workflow/deliver/delivery-manifest.ts";
import { DELIVERY_PRESETS } from "../../../src/workflow/deliver/delivery-preset.ts";
import { placedResult } from "../../fakes/placed-result.ts";

const [PRESET] = DELIVERY_PRESETS;
if (PRESET === undefined) throw new Error("there are presets");
const CUES = [
  { id: "a", start: 1, end: 3, text: "A dog." },
  { id: "b", start: 8, end: 9, text: "He runs." },
];
const ORDER = {
  createdAt: "2026-03-04T05:06:07Z",
  preset: PRESET,
  title: "Harbour",
  language: "en-US",
  voice: { isHuman: false },
  origin: null,
  cues: CUES,
  grid: { rate: frameRate(30000, 1001), isDropFrame: true, startFrame: 107_892 },
};
const MADE = { version: "0.1.0", checks: null, files: [{ name: "a.vtt", bytes: 3, sha256: "00" }] };

describe("a manifest", () => {
  test("of cues that nobody knows the origin of says what is delivered, and claims nothing beyond", () => {
    expect(deliveryManifest(ORDER, MADE)).toEqual({
      generator: "aside",
      version: "0.1.0",
      created_at: ORDER.createdAt,
      preset: { name: PRESET.name, title: PRESET.title, source: PRESET.source },
      title: "Harbour",
      language: "en-US",
      descriptions: 2,
      frame_rate: "30000/1001",
      drop_frame: true,
      start_timecode: "01:00:00;00",
      voice: { kind: "synthetic" },
      disclosure: "The narration was made with a synthetic voice.",
      history: null,
      signed_off: null,
      checks: null,
      files: MADE.files,
    });
  });

  test("tells the recipient's number, the leader, who described, what was changed, and what was found", () => {
    const written = CUES.map((cue) => (cue.id === "b" ? { ...cue, text: "He walks." } : cue));
    const origin = placedResult(CUES, { generated: written, describer: "script" as never, track: "full_mix" as never });
    const checks = { verdict: "warn" as const, findings: [], notChecked: ["the mix"] };
    const manifest = deliveryManifest(
      { ...ORDER, origin, reference: "HB-7", leader: { seconds: 8, hasPop: false } },
      { ...MADE, checks },
    );
    expect(manifest).toMatchObject({
      reference: "HB-7",
      leader: { seconds: 8, two_pop: false },
      settings: { ...origin.settings, track: "full_mix" },
      history: {
        describer: "script",
        counts: { "as-written": 1, edited: 1, added: 0, deleted: 0 },
        cues: [{ id: "a" }, { id: "b", written: "He walks." }],
      },
      checks: { profile: PRESET.profile.name, verdict: "warn", findings: [], not_checked: ["the mix"] },
    });
    // A frame is no change of times.
    const frame = 1001 / 30_000;
    const moved = (by: number) => {
      const cues = CUES.map((cue) => ({ ...cue, start: cue.start + by, end: cue.end + by }));
      return deliveryManifest({ ...ORDER, cues, origin: placedResult(CUES) }, MADE).history?.counts.edited;
    };
    expect([moved(frame * 0.9), moved(frame * 1.1)]).toEqual([0, 2]);
    expect(deliveryManifest({ ...ORDER, origin: placedResult(CUES, { generated: null }) }, MADE).history).toBeNull();
  });

  test("says who signed these descriptions off, and that it is void for others", () => {
    const origin = placedResult(CUES, { signOff: signOff(CUES, "Kim", "2026-01-01T00:00:00Z") });
    const signed = { name: "Kim", at: "2026-01-01T00:00:00Z" };
    expect(deliveryManifest({ ...ORDER, origin }, MADE).signed_off).toEqual({ ...signed, state: "valid" });
    const cues = CUES.slice(1);
    expect(deliveryManifest({ ...ORDER, origin, cues }, MADE).signed_off).toEqual({ ...signed, state: "void" });
  });

  test("accounts for every line of a given script as it is delivered", () => {
    const line = {
      start: 8,
      end: 9,
      text: "He runs.",
      reason: "gap_too_short",
      neededSeconds: 2.0004,
      lackingSeconds: 1,
      waysOut: [{ kind: "move" as const, isPossible: true, outcome: "o" }],
    };
    const other = { ...line, start: 20, text: "Never said." };
    const script = { given: 4, moved: [{ cueId: "a", start: 2, bySeconds: -1.00004 }], leftOut: [line, other] };
    const manifest = deliveryManifest({ ...ORDER, origin: placedResult(CUES, { script }) }, MADE);
    expect(manifest.script).toEqual({
      counts: { given: 4, as_written: 1, moved: 2, left_out: 1 },
      moved: [
        { id: "a", timecode: "01:00:02;00", by_seconds: -1 },
        { id: "b", timecode: "01:00:08;00", by_seconds: 0 },
      ],
      left_out: [
        {
          timecode: "01:00:19;29",
          start: 20,
          text: "Never said.",
          reason: "gap_too_short",
          needed_seconds: 2,
          lacking_seconds: 1,
          ways_out: [{ kind: "move", possible: true, outcome: "o" }],
        },
      ],
    });
  });
});

describe("the voice", () => {
  const recording = { recording: { path: "/take.wav" } } as never;
  const spoken = (...ids: string[]) =>
    placedResult(CUES, { voiced: Object.fromEntries(ids.map((id) => [id, recording])) });
  const kind = (voice: Parameters<typeof disclosureOf>[0]) => deliveryManifest({ ...ORDER, voice }, MADE).voice;

  test("is a person's where that is told, or where a person spoke every line", () => {
    expect(narrationVoice({ isHuman: true, name: "Kim" }, spoken("a"), CUES)).toEqual({ isHuman: true, name: "Kim" });
    expect(narrationVoice({ isHuman: false, name: "Robot" }, spoken("a", "b"), CUES)).toEqual({ isHuman: true });
    expect(kind({ isHuman: true, name: "Kim" })).toEqual({ kind: "human", name: "Kim" });
    expect(disclosureOf({ isHuman: true, name: "Kim" })).toBe("The narration was spoken by a person (Kim).");
  });

  test("is disclosed as synthetic as soon as one line is, with how many a person spoke", () => {
    const told = { isHuman: false, name: "Robot" };
    expect(narrationVoice(told, null, CUES)).toEqual(told);
    expect(narrationVoice(told, spoken(), CUES)).toEqual(told);
    const mixed = narrationVoice(told, spoken("b", "gone"), CUES);
    expect(mixed).toEqual({ ...told, recorded: { count: 1, of: 2 } });
    expect(kind(mixed)).toEqual({ kind: "mixed", name: "Robot" });
    expect(disclosureOf(mixed)).toBe(
      "The narration was made with a synthetic voice (Robot); 1 of 2 descriptions were spoken by a person.",
    );
  });
});
