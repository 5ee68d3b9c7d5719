import { describe, expect, test } from "vitest";
import {
  type DeliverState,
  firstDelivery,
  type SoundSource,
  type VideoOffer,
} from "../../../panel/state/delivery-state.ts";
import type { PanelState } from "../../../panel/state/panel-state.ts";
import { deliverView } from "../../../panel/views/deliver-view.ts";
import { words } from "../../../panel/words/words.ts";
import type { Result } from "../../../src/result/result.ts";
import { signOff } from "../../../src/result/sign-off.ts";
import { optionsOf, outlineOf, usesOf } from "./drawn.ts";
import { found, LINES, reviewed } from "./reviewed.ts";
import { viewPage } from "./view-page.ts";

const SOUND: SoundSource = {
  kind: "mix",
  path: "/b.wav",
  name: "b.wav",
  format: { sampleRate: 48_000, bits: 24, channels: 2 } as never,
  durationSeconds: 60,
};
const SOUNDS = [
  {
    ...SOUND,
    kind: "narration" as const,
    name: "a.wav",
    format: { sampleRate: 44_100, bits: 16, channels: 1 } as never,
  },
  SOUND,
];
const OFFER: VideoOffer = { hindrance: null, standing: "new", credits: 0.75 };

function shown(
  delivery: Partial<DeliverState> = {},
  result: Partial<Result> = {},
  state: Partial<PanelState> = {},
  members = {},
) {
  const review = reviewed(result);
  const page = viewPage(
    { review, delivery: { ...firstDelivery(review), findings: [], ...delivery }, ...state },
    members,
  );
  return { ...page, draw: () => deliverView(page.session.state, page.actions) };
}
const linesOf = (page: ReturnType<typeof shown>, pattern: RegExp) =>
  outlineOf(page.draw())
    .filter((line) => pattern.test(line))
    .map((line) => line.trim());
/** What is said to be checked. */
function checksOf(page: ReturnType<typeof shown>): readonly string[] {
  const lines = outlineOf(page.draw());
  return lines.slice(
    lines.indexOf(words.deliveryChecks) + 1,
    lines.findIndex((line) => line.includes("#section-delivery-more")),
  );
}

describe("what is delivered", () => {
  test("is a preset with its source, its texts, its sounds with their facts, its checks, and one button", async () => {
    const page = shown({ texts: ["srt", "csv"], sounds: SOUNDS, soundKinds: ["mix"] });
    expect(outlineOf(page.draw())).toEqual([
      `combobox “${words.deliveryPreset}” #delivery-preset = complete (the formats that editing systems, players and broadcasters read)`,
      words.deliveryFiles,
      `group “${words.deliveryTexts}”`,
      `  checkbox “${words.deliveryTextNames.vtt}” #delivery-vtt`,
      `  checkbox “${words.deliveryTextNames.srt}” #delivery-srt checked`,
      `  checkbox “${words.deliveryTextNames.edl}” #delivery-edl`,
      `  checkbox “${words.deliveryTextNames.csv}” #delivery-csv checked`,
      `  checkbox “${words.deliveryTextNames.dapt}” #delivery-dapt`,
      `  checkbox “${words.deliveryTextNames.script}” #delivery-script`,
      `group “${words.deliverySounds}”`,
      `  checkbox “${words.soundNames.narration}” #delivery-narration (${words.soundFacts({ file: "a.wav", bits: 16, rate: 44.1 })})`,
      `  button “${words.pickWavFor({ name: "Narration (Broadcast Wave)" })}” #pick-narration : ${words.pickWav}`,
      `  checkbox “${words.soundNames.mix}” #delivery-mix checked (${words.soundFacts({ file: "b.wav", bits: 24, rate: 48 })})`,
      `  button “${words.pickWavFor({ name: "Mix (Broadcast Wave)" })}” #pick-mix : ${words.pickWav}`,
      words.deliveryChecks,
      `✓ ${words.deliveryWithinLimits} ⚠ ${words.deliveryUnsigned}`,
      `button “${words.moreOptions} Harbour · {kind}.{ending}” #section-delivery-more expanded=false`,
      `button “${words.deliver}” #deliver`,
    ]);
    expect(await usesOf(page, page.draw(), { "delivery-preset": "netflix" })).toEqual({
      "delivery-preset": ['deliverController.choosePreset("netflix")'],
      "delivery-vtt": ['deliverController.wantText("vtt", true)'],
      "delivery-srt": ['deliverController.wantText("srt", false)'],
      "delivery-edl": ['deliverController.wantText("edl", true)'],
      "delivery-csv": ['deliverController.wantText("csv", false)'],
      "delivery-dapt": ['deliverController.wantText("dapt", true)'],
      "delivery-script": ['deliverController.wantText("script", true)'],
      "delivery-narration": ['deliverController.wantSound("narration", true)'],
      "pick-narration": ['deliverController.pickSound("narration")'],
      "delivery-mix": ['deliverController.wantSound("mix", false)'],
      "pick-mix": ['deliverController.pickSound("mix")'],
      "section-delivery-more": ['formController.toggleSection("delivery-more")'],
      deliver: ["deliverController.deliver()"],
    });
    expect(optionsOf(page.draw(), "delivery-preset").map((one) => one.split(":")[0])).toEqual([
      "complete",
      "web",
      "plain-captions",
      "youtube",
      "prime-video",
      "netflix",
      "wbd",
      "ebu-r128",
      "atsc-a85",
      "dapt",
    ]);
  });

  test("has a sound that is not there picked, and says where it would come from", async () => {
    const page = shown({ sounds: SOUNDS.slice(1) });
    expect(linesOf(page, /narration|No narration/i)).toEqual([
      words.noSound.narration,
      `button “${words.pickWavFor({ name: "Narration (Broadcast Wave)" })}” #pick-narration : ${words.pickWav}`,
    ]);
    expect((await usesOf(page, page.draw()))["pick-narration"]).toEqual(['deliverController.pickSound("narration")']);
  });

  test("has titles, names, leader and Premiere's own forms behind further options", async () => {
    const page = shown(
      { title: "Harbour", reference: "X1", handOffs: ["otio"], hasLeader: true, isHuman: true },
      {},
      { openSections: ["delivery-more"], sequence: reviewed().sequence },
    );
    const lines = outlineOf(page.draw());
    expect(
      lines.slice(
        lines.findIndex((line) => line.includes("#section-delivery-more")),
        -1,
      ),
    ).toEqual([
      `button “${words.moreOptions}” #section-delivery-more expanded=true`,
      `textbox “${words.deliveryTitle}” #delivery-title = Harbour`,
      `textbox “${words.deliveryReference}” #delivery-reference = X1`,
      `textbox “${words.deliveryFileName}” #delivery-fileName = {kind}.{ending}`,
      `checkbox “${words.humanVoice}” #human-voice checked`,
      `checkbox “${words.leader}” #delivery-leader checked`,
      words.leaderUnfit,
      `group “${words.handOff}”`,
      `  checkbox “${words.handOffNames.aaf}” #hand-off-aaf`,
      `  checkbox “${words.handOffNames.otio}” #hand-off-otio checked`,
      `  checkbox “${words.handOffNames.xml}” #hand-off-xml`,
      `  checkbox “${words.handOffNames.captions}” #hand-off-captions`,
      `  ${words.handOffHint({ name: "Harbour" })}`,
      words.deliveryHint,
    ]);
    const uses = Object.entries(await usesOf(page, page.draw()));
    const from = uses.findIndex(([id]) => id === "delivery-title");
    expect(Object.fromEntries(uses.slice(from, -1))).toEqual({
      "delivery-title": ['deliverController.change({"title":"typed"})'],
      "delivery-reference": ['deliverController.change({"reference":"typed"})'],
      "delivery-fileName": ['deliverController.change({"fileName":"typed"})'],
      "human-voice": ['deliverController.change({"isHuman":false})'],
      "delivery-leader": ['deliverController.change({"hasLeader":false})'],
      "hand-off-aaf": ['deliverController.wantHandOff("aaf", true)'],
      "hand-off-otio": ['deliverController.wantHandOff("otio", false)'],
      "hand-off-xml": ['deliverController.wantHandOff("xml", true)'],
      "hand-off-captions": ['deliverController.wantHandOff("captions", true)'],
    });
    expect(linesOf(shown({}, {}, { openSections: ["delivery-more"], sequence: null }), /hand-off/)).toEqual([]);
  });

  test("is what it is of the result under review alone", () => {
    expect(outlineOf(shown({ runId: "another" }).draw())).toEqual([words.noReview]);
    expect(outlineOf(shown({}, {}, { review: null }).draw())).toEqual([words.noReview]);
  });
});

describe("the video", () => {
  test.each(["noMedia", "recut", "human"] as const)("that cannot be made says why: %s", (hindrance) => {
    const page = shown({ video: { ...OFFER, hindrance } });
    expect(linesOf(page, /delivery-video|No video/)).toEqual([words.videoHindrances[hindrance]]);
  });

  test("has its price said, is fetched where it was ordered, and is ordered again only where that is said", async () => {
    const video = (offer: Partial<VideoOffer>, more: Partial<DeliverState> = {}) =>
      shown({ video: { ...OFFER, ...offer }, wantsVideo: true, ...more });
    const OFFERS: Readonly<Record<string, ReturnType<typeof shown>>> = {
      new: video({}),
      tiny: video({ credits: 0.01 }),
      free: video({ credits: 0 }, { wantsVideo: false }),
      ordered: video({ standing: "ordered" }),
      unknown: video({ standing: "unknown" }),
      gone: video({ standing: "gone" }, { ordersVideoAgain: true }),
      "unknown, not wanted": video({ standing: "unknown" }, { wantsVideo: false }),
    };
    expect(
      Object.fromEntries(Object.entries(OFFERS).map(([name, page]) => [name, linesOf(page, /video|Video/)])),
    ).toEqual({
      new: [
        `checkbox “${words.deliveryVideo}” #delivery-video checked (${words.videoHint({ price: "about 0.8 credits" })})`,
      ],
      tiny: [
        `checkbox “${words.deliveryVideo}” #delivery-video checked (${words.videoHint({ price: "about 0.1 credits" })})`,
      ],
      free: [`checkbox “${words.deliveryVideo}” #delivery-video (${words.videoHint({ price: "no charge" })})`],
      ordered: [`checkbox “${words.deliveryVideo}” #delivery-video checked (${words.videoOrdered})`],
      unknown: [
        `checkbox “${words.deliveryVideo}” #delivery-video checked (${words.videoHint({ price: "about 0.8 credits" })})`,
        words.videoUnknown,
        `checkbox “${words.videoAgain({ price: "about 0.8 credits" })}” #video-again`,
      ],
      gone: [
        `checkbox “${words.deliveryVideo}” #delivery-video checked (${words.videoHint({ price: "about 0.8 credits" })})`,
        words.videoGone,
        `checkbox “${words.videoAgain({ price: "about 0.8 credits" })}” #video-again checked`,
      ],
      "unknown, not wanted": [
        `checkbox “${words.deliveryVideo}” #delivery-video (${words.videoHint({ price: "about 0.8 credits" })})`,
      ],
    });
    const page = video({ standing: "gone" });
    const { "delivery-video": box, "video-again": again } = await usesOf(page, page.draw());
    expect({ box, again }).toEqual({
      box: ['deliverController.change({"wantsVideo":false})'],
      again: ["deliverController.orderAgain(true)"],
    });
  });
});

describe("the checks", () => {
  test("list what breaks a limit before what is noted, six at the most, and count the rest", () => {
    const findings = [
      found("note", [], { severity: "note", source: "Guide 3" }),
      found("one", ["a"], { severity: "warn" }),
      found("two", ["b", "c"], { severity: "fail" }),
      found("three", ["c"], { severity: "warn" }),
      found("four", ["a"], { severity: "fail" }),
      found("five", []),
      found("six", []),
      found("seven", []),
    ];
    const page = shown({ findings, presetName: "netflix" });
    expect(checksOf(page)).toEqual([
      "⚠ Missing for “Netflix: near-field mix”: Mix (Broadcast Wave).",
      `⚠ ${words.deliveryBroken({ count: 2 })}`,
      "✕ b, c: Found: two.",
      "✕ a: Found: four.",
      "⚠ a: Found: one.",
      "⚠ c: Found: three.",
      "⚠ Found: five.",
      "⚠ Found: six.",
      words.andMore({ count: 2 }),
      `checkbox “${words.deliverDespite}” #deliver-despite`,
      `⚠ ${words.deliveryUnsigned}`,
    ]);
    expect(checksOf(shown({ findings: findings.slice(0, 2) }))).toEqual([
      "✓ 2 things are worth a look: ⚠ a: Found: one. ℹ Found: note. (Guide 3) ⚠ Nobody has signed off. The manifest says so.",
    ]);
    expect(linesOf(shown({ findings, presetName: "netflix", goesDespite: true }), /#deliver-despite/)).toEqual([
      `checkbox “${words.deliverDespite}” #deliver-despite checked`,
    ]);
    expect(checksOf(shown({ findings: findings.slice(0, 6) })).join()).not.toContain(words.andMore({ count: 0 }));
  });

  test("say what is missing, misnamed and out of date, and who signed", () => {
    const voiced = { a: { words: "x" } } as never;
    const pieces = { b: { path: "/b", start: 1, durationSeconds: 1 }, c: { path: "/c", start: 1, durationSeconds: 1 } };
    expect(checksOf(shown({ presetName: "netflix", fileName: "{nothing}" }, { pieces }))).toEqual([
      "⚠ The files cannot have this name: there is no {nothing} in a name, only {title}, {reference}, {language}, {language3}, {date}, {rate}, {kind}, {ending}. ⚠ Missing for “Netflix: near-field mix”: Mix (Broadcast Wave). ⚠ 2 lines do not match the narration’s file. Make the narration one file again first. ✓ Words, times and pace are within the limits ⚠ Nobody has signed off. The manifest says so.",
    ]);
    expect(checksOf(shown({ findings: null }, { signOff: signOff(LINES, "Ada", "2026-01-02T03:04:05.000Z") }))).toEqual(
      [words.signed({ name: "Ada", date: "2026-01-02 03:04" })],
    );
    expect(
      checksOf(
        shown({ findings: null }, { signOff: signOff(LINES.slice(1), "Ada", "2026-01-02T03:04:05.000Z"), voiced }),
      ).at(-1),
    ).toEqual(`⚠ ${words.deliveryStale({ cues: 4 })} ⚠ ${words.signedVoid({ name: "Ada", date: "2026-01-02 03:04" })}`);
  });

  test("say which lines are heard on a held copy alone: they are in no file", () => {
    const held = checksOf(shown({ findings: null }, { mutedIds: ["a", "b"], extendedIds: ["b"] })).join();
    expect(held).toContain(`⚠ ${words.deliveryWithoutHeld({ count: 1 })}`);
    expect(checksOf(shown({ findings: null }, { mutedIds: ["a", "b"] })).join()).not.toContain("held copy");
  });

  test("let it be delivered where nothing stands against it", () => {
    const button = (page: ReturnType<typeof shown>) => linesOf(page, /#deliver( disabled)?$/);
    expect(
      [
        button(shown({ texts: ["srt"] })),
        button(shown({ findings: null })),
        button(shown({ texts: [], soundKinds: [] })),
      ].flat(),
    ).toEqual([
      `button “${words.deliver}” #deliver`,
      `button “${words.deliver}” #deliver disabled`,
      `button “${words.deliver}” #deliver disabled`,
    ]);
  });
});

test("lines that changed since they were recorded are said first, with the way to record them", async () => {
  const cues = LINES.map((cue) => (cue.id === "b" ? { ...cue, text: "Changed." } : cue));
  const page = shown({}, { cues, voiced: reviewed().result.voiced });
  expect(outlineOf(page.draw()).slice(0, 2)).toEqual([
    `⚠ ${words.changedLines({ count: 1 })}`,
    `button “${words.recordThem}” #voice-changed`,
  ]);
  expect((await usesOf(page, page.draw()))["voice-changed"]).toEqual(["jobQueue.voice()"]);
  expect(linesOf(shown({}, { cues, voiced: reviewed().result.voiced, track: "none" }), /voice-changed/)).toEqual([]);
});

test("while it is written, what is being done is shown, and the way to end it", async () => {
  const page = shown({ running: { what: "Writing a.wav", fraction: 0.256 } });
  expect(outlineOf(page.draw())).toEqual([
    words.deliveringSound({ name: "a.wav…" }),
    `progressbar “${words.deliveringSound({ name: "a.wav" })}” valuenow=26`,
    `button “${words.cancel}” #cancel-delivery`,
  ]);
  expect(await usesOf(page, page.draw())).toEqual({
    "cancel-delivery": ["deliverController.cancel()"],
  });
});

test("what was written is listed, with what was found of it, and shown in its folder where that can be", async () => {
  const written = {
    folder: "/delivered",
    names: ["a.vtt", "b.srt", "manifest.json"],
    findings: [found("late", ["a"]), found("short", [])],
  };
  const page = shown({ written }, {}, {}, { showFolder: async () => true });
  const lines = outlineOf(page.draw());
  expect(
    lines.slice(
      lines.findIndex((line) => line.includes("/delivered")),
      -1,
    ),
  ).toEqual([
    words.delivered({ files: 3, folder: "/delivered" }),
    "a.vtt",
    "b.srt",
    "manifest.json",
    "⚠ a: Found: late.",
    "⚠ Found: short.",
    `button “${words.showFolder}” #show-delivery`,
  ]);
  expect((await usesOf(page, page.draw()))["show-delivery"]).toEqual(["deliverController.show()"]);
  expect(linesOf(shown({ written }), /show-delivery/)).toEqual([]);
});
