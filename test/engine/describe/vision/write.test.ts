import { describe, expect, test } from "vitest";
import { EMPTY_BIBLE, type FilmBible } from "../../../../src/core/film-bible.ts";
import type { DescribeRequest } from "../../../../src/engine/describe/describer.ts";
import type { LogEvent } from "../../../../src/engine/describe/vision/look.ts";
import { type WritingReport, writeScene } from "../../../../src/engine/describe/vision/write.ts";
import { type StageRules, startDescribingModel } from "../../../fakes/describing-model.ts";
import { describeRequest } from "../describe-request.ts";
import { askerOf } from "./asker-of.ts";
import { scenesAt } from "./at-pace.ts";
import { eventAt } from "./event-at.ts";

const EVENTS = [
  eventAt(1, 3, "a woman opens a door", { confidence: 0.7 }),
  eventAt(2, 4, "a dog runs in", { confidence: 0.5 }),
  eventAt(3, 15, "she reads a letter"),
];
/** A pause of 8 s, a line of speech, and a pause of 10 s. */
const SCENE = {
  durationSeconds: 20,
  gaps: [
    { start: 0, end: 8, sound: "ambience" },
    { start: 10, end: 20, sound: "ambience" },
  ],
  transcript: [
    { start: 8, end: 10, text: "Who is there?" },
    { start: 60, end: 61, text: "Much later." },
  ],
} as const satisfies Partial<DescribeRequest>;

interface Given extends Partial<DescribeRequest> {
  readonly events?: readonly LogEvent[];
  readonly known?: Partial<FilmBible>;
  readonly spoken?: readonly string[];
  readonly knownCategory?: string;
}

async function written(lines: NonNullable<StageRules["lines"]>, given: Given = {}) {
  const { events = EVENTS, known = {}, spoken = [], knownCategory = "", ...more } = given;
  const model = await startDescribingModel([], { lines });
  const request = describeRequest({ ...SCENE, ...more });
  const [scene] = scenesAt(0.4, request, events);
  if (scene === undefined) throw new Error("there is a scene");
  const knowledge = { bible: { ...EMPTY_BIBLE, ...known }, category: knownCategory };
  const report: WritingReport = { notes: [], findings: [] };
  const drafts = await writeScene({ scene, knowledge, spoken }, request, await askerOf(model, request), report);
  return { model, ...report, drafts, asked: model.of("lines") };
}

const one = (text: string, ...events: number[]) => ({ lines: [{ events, text, importance: 0.8, confidence: 0.9 }] });
const numbered = (count: number) => `${Array.from({ length: count }, (_, index) => `w${index}`).join(" ")}.`;

describe("writing a scene", () => {
  test("GEN-16: tells the model its rules, language, instructions, bible, terms, what is spoken and the log by beats", async () => {
    const { asked } = await written(() => one("Eine Frau öffnet eine Tür.", 1), {
      instructions: "Call the ship Argo.",
      glossary: ["Argo: the ship"],
      known: { story: "She hides.", persons: [{ label: "the woman", looks: "in red", name: "Anna", nameFrom: 12 }] },
      spoken: ["Night."],
      language: "de-DE",
      knownCategory: "News",
    });
    expect(asked).toHaveLength(1);
    for (const rule of [
      "This is news.",
      "Write in German (Germany) (de-DE).",
      "The editor's instructions, which come before all of the above: Call the ship Argo.",
      "A line has 4 to 12 words",
      "present tense, active voice, third person",
      'Never write "we see"',
    ])
      expect(asked[0]?.system).toContain(rule);
    expect(asked[0]?.prompt).toBe(
      [
        "Write the lines of the scene from 0.0 s to 20.0 s of 20.0 s.",
        "The bible of the film: <<<",
        "  Story: She hides.",
        "  Person: the woman: in red; name Anna, not before 12.0 s",
        ">>>",
        "Names and terms, to be written so: <<<",
        "  Argo: the ship",
        ">>>",
        "Spoken before: <<<",
        "  Night.",
        ">>>",
        "Heard (what comes later must not be given away): <<<",
        "  8.0 s to 10.0 s Who is there?",
        ">>>",
        "The log, beat by beat: <<<",
        "  Beat 1, 0.0 s to 7.7 s, at most 23 words:",
        "  Event 1, 3.0 s to 4.0 s, importance 0.8, sure 0.7: a woman opens a door",
        "  Event 2, 4.0 s to 5.0 s, at most 10 words left, importance 0.8, sure 0.5: a dog runs in",
        "  Beat 2, 7.7 s to 10.2 s, no room:",
        "  Beat 3, 10.2 s to 20.0 s, at most 29 words:",
        "  Event 3, 15.0 s to 16.0 s, importance 0.8, sure 0.9: she reads a letter",
        ">>>",
      ].join("\n"),
    );
  });

  test("a scene is told all that is heard in it, and within fifteen seconds around it", async () => {
    const transcript = [1, 8, 34.9, 35].map((start, index) => ({ start, end: start + 1, text: `Line ${index}.` }));
    const { asked } = await written(() => one("A woman opens a door.", 1), { transcript });
    const heard = /Heard [^\n]*<<<\n([\s\S]*?)\n>>>/.exec(asked[0]?.prompt ?? "")?.[1];
    expect(heard?.split("\n").map((line) => line.replace(/^.* s /, ""))).toEqual(["Line 0.", "Line 1.", "Line 2."]);
  });

  test("a fault of any line, in any beat, is asked back", async () => {
    const right = one("A woman opens a door.", 1).lines;
    for (const [wrong, fault] of [
      [one("Sie liest einen langen Brief von ihrer Mutter.", 3), "is not in American English"],
      [one("A man walks by.", 9), "There is no event 9"],
      [
        { lines: ["x", "y", "z", "u", "v", "t"].flatMap((name) => one(numbered(9).replaceAll("w", name), 3).lines) },
        "of beat 3",
      ],
    ] as const) {
      const { asked } = await written(() => ({ lines: [...right, ...wrong.lines] }));
      expect(asked[1]?.askedBack[0]).toContain(fault);
    }
  });

  test("GEN-15: says nothing of instructions and categories where there are none", async () => {
    const { asked } = await written(() => one("A woman opens a door.", 1));
    expect(asked[0]?.system).not.toContain("instructions");
    expect(asked[0]?.system).not.toContain("This is");
  });

  test("a line can be told so that its last words come when what they tell is seen, and is as sure as the least sure of it", async () => {
    const { drafts } = await written(() => one("A dog runs past a woman.", 2, 1));
    expect(drafts).toMatchObject([
      // Six words take 2.2 s; the last third of them tells of what is seen from 4 s on.
      {
        picture: { start: expect.closeTo(4 - 2.18 / 3, 2), end: 5 },
        confidence: 0.5,
        importance: 0.8 ** 1.5,
        events: [{ number: 1 }, { number: 2 }],
      },
    ]);
  });

  test("a line of what lasts longer is late once the first of it is over, but not before all of it is seen", async () => {
    const seen = (start: number, end: number) => ({ seen: { start, end } });
    const room = eventAt(1, 3, "a dark room", seen(3, 9));
    const pictures = async (...deeds: LogEvent[]) => {
      const events = [room, ...deeds];
      const told = await written(() => one("In a dark room, a dog runs.", ...events.map(({ number }) => number)), {
        events,
      });
      return told.drafts.map(({ picture }) => picture.end);
    };
    expect(await pictures(eventAt(2, 3, "a dog runs in", seen(3, 4)))).toEqual([4]);
    expect(await pictures(eventAt(2, 4, "a dog runs in", seen(4, 5)))).toEqual([5]);
    // What was over before the rest began does not make it late.
    expect(await pictures(eventAt(2, 3, "it rains", seen(3, 4)), eventAt(3, 5, "a dog runs in", seen(5, 7)))).toEqual([
      7,
    ]);
  });

  test("a writer learns how few words are left before a pause ends, and from what on there is none", async () => {
    const events = [5, 6, 7.4, 7.8, 12, 18, 19.9].map((at, index) => eventAt(index + 1, at, `thing ${index}`));
    const { asked } = await written(() => one("A dog runs in.", 1), { events });
    const left = (asked[0]?.prompt ?? "").split("\n").filter((line) => line.startsWith("  Event"));
    expect(left.map((line) => / s to [\d.]+ s(.*), importance/.exec(line)?.[1])).toEqual([
      // The pause ends for the voice at 7.65 s; half a second before its picture is soon enough.
      ", at most 7 words left",
      ", at most 5 words left",
      ", no room left",
      // Under speech.
      "",
      "",
      ", at most 6 words left",
      ", no room left",
    ]);
    expect(asked[0]?.system).toContain("less than 4 words only for what the story fails without");
    const held = await written(() => one("A dog runs in.", 1), { events, type: "extended" });
    expect(held.asked[0]?.prompt).not.toContain("left, importance");
  });

  test("what the story fails without outweighs two things worth telling", async () => {
    const lines = [1, 2, 3].map((number, index) => ({
      ...one(`She reads letter ${number}.`, number).lines[0],
      importance: index === 0 ? 1 : 0.6,
    }));
    const { drafts } = await written(() => ({ lines }));
    const [first = 0, second = 1, third = 1] = drafts.map(({ importance }) => importance);
    expect(first).toBeGreaterThan(second + third);
  });

  test("where the film is held, nothing is told before all of it is seen", async () => {
    const { drafts } = await written(() => one("A dog runs past a woman.", 2, 1), { type: "extended" });
    expect(drafts).toMatchObject([{ picture: { start: 4, end: 5 } }]);
  });

  test("what its writer believes less than the log counts", async () => {
    const line = { events: [3], text: "She reads a letter.", importance: 7, confidence: 0.4 };
    const { drafts } = await written(() => ({ lines: [line] }));
    expect(drafts).toMatchObject([{ confidence: 0.4, importance: 1 }]);
  });

  test.each([
    ["an event that the scene has not", one("A man walks by.", 9), /There is no event 9/],
    ["no event", one("A man walks by."), /names no event/],
  ])("a line that tells %s is asked back once, then dropped with a note", async (_name, answer, fault) => {
    const { drafts, notes, asked } = await written(() => answer);
    expect(asked).toHaveLength(2);
    expect(asked[1]?.askedBack[0]).toMatch(fault);
    expect(drafts).toEqual([]);
    expect(notes).toEqual(['Dropped, because it tells nothing that was logged: "A man walks by."']);
  });

  test.each([
    ["fr-FR", "A woman opens the door slowly.", "Une femme ouvre la porte.", "English"],
    ["fr-FR", "Женщина открывает дверь.", "Une femme ouvre la porte.", "Cyrillic letters"],
    ["cmn-CN", "A woman opens the door.", "一个女人打开门。", "Latin letters"],
    ["ja-JP", "一个女人慢慢地打开了那扇门。", "女が扉を開ける。", "Chinese"],
    ["en-US", "Eine Frau öffnet langsam die Tür.", "A woman opens the door.", "German"],
  ])("in %s, “%s” is asked for again, and reported in place of being spoken", async (language, wrong, right, name) => {
    const mended = await written(({ askedBack }) => one(askedBack.length === 0 ? wrong : right, 1), { language });
    expect(mended.asked[1]?.askedBack[0]).toMatch(/ is not in .*\. Write in .*\./);
    expect(mended.drafts.map(({ text }) => text)).toEqual([right]);
    expect(mended.findings).toEqual([]);
    const stubborn = await written(() => ({ lines: [...one(wrong, 1).lines, ...one(right, 3).lines] }), { language });
    expect(stubborn.asked).toHaveLength(2);
    expect(stubborn.drafts.map(({ text }) => text)).toEqual([right]);
    const [finding, ...more] = stubborn.findings;
    expect(finding).toMatchObject({ rule: "other-language", severity: "fail", start: 3, end: 4 });
    expect(finding?.message).toContain(`written in ${name}, not in `);
    expect(finding?.message).toContain(wrong);
    expect(more).toEqual([]);
  });

  test("names and words on screen may be in any language", async () => {
    const shown = one("Il ouvre un livre : “The Old Man and the Sea”.", 1);
    const { asked, findings } = await written(() => shown, { language: "fr-FR" });
    expect(asked).toHaveLength(1);
    expect(findings).toEqual([]);
  });

  test.each(["ja-JP", "cmn-CN", "th-TH"])("counts in characters throughout in %s", async (language) => {
    const { asked } = await written(() => ({ lines: [] }), { language });
    const said = `${asked[0]?.system}\n${asked[0]?.prompt}`;
    expect(said).toMatch(/A line has \d+ to \d+ characters and is/);
    expect(said).toMatch(/at most \d+ characters/);
    expect(said).not.toMatch(/\d words/);
  });

  test("film talk is asked back once, then taken out of the words", async () => {
    const { drafts, asked } = await written(() => one("We see a woman at a door", 1));
    expect(asked[1]?.askedBack[0]).toContain("talks about the film");
    expect(asked).toHaveLength(2);
    expect(drafts.map(({ text }) => text)).toEqual(["A woman at a door."]);
  });

  test("a line that is too long is asked back once, then cut to whole sentences; one sentence is kept for later", async () => {
    const twoSentences = `She waits. The ${numbered(20)}`;
    const { drafts, asked } = await written(() => one(twoSentences, 1));
    expect(asked[1]?.askedBack[0]).toContain("longer than 12 words");
    expect(drafts.map(({ text }) => text)).toEqual(["She waits."]);
    const alone = await written(() => one(numbered(20), 1));
    expect(alone.drafts.map(({ text }) => text)).toEqual([numbered(20).replace("w", "W")]);
    expect((await written(() => one(numbered(9), 1))).asked).toHaveLength(1);
  });

  test("cuts to sentences that end, not at abbreviations or inside numbers", async () => {
    const text =
      "Mr. and Mrs. Ames wait. Dr. Jones pours them 3.5 litres of the dark red wine that stood in the corner.";
    const { drafts } = await written(() => one(text, 1));
    expect(drafts.map((draft) => draft.text)).toEqual(["Mr. and Mrs. Ames wait."]);
  });

  test("lines that are together longer than their beat are asked back, with what fits", async () => {
    const { asked } = await written(() => ({
      lines: ["w", "v", "u", "t"].flatMap(
        (letter, index) => one(numbered(9).replaceAll("w", letter), ...(index > 1 ? [1, 2] : [1])).lines,
      ),
    }));
    expect(asked[1]?.askedBack[0]).toContain("The lines of beat 1 have 36 words; at most 23 words fit.");
  });

  test("a name may be used only once the film has given it: asked back, then the label stands for it", async () => {
    const persons = [{ label: "the woman", looks: "", name: "Anna", nameFrom: 12 }];
    const both = {
      lines: [...one("Anna opens a door.", 1).lines, ...one("Anna reads Annabel's letter.", 3).lines],
    };
    const { drafts, asked } = await written(() => both, { known: { persons } });
    expect(asked[1]?.askedBack[0]).toMatch(/Anna.* may not be named before 12\.0 s; write .*the woman/);
    expect(drafts.map(({ text }) => text)).toEqual(["The woman opens a door.", "Anna reads Annabel's letter."]);
    const always = [{ label: "the woman", looks: "", name: "Anna" }];
    expect((await written(() => both, { known: { persons: always } })).asked).toHaveLength(1);
  });

  test("the labels of all who are named too early stand for them", async () => {
    const persons = [
      { label: "the man", looks: "", name: "Karl", nameFrom: 12 },
      { label: "the woman", looks: "", name: "Anna", nameFrom: 12 },
    ];
    const { drafts } = await written(() => one("Anna opens a door to Karl.", 1), { known: { persons } });
    expect(drafts.map(({ text }) => text)).toEqual(["The woman opens a door to the man."]);
  });

  test("a name is a whole word, and signs in it are no pattern", async () => {
    const persons = [{ label: "the dog", looks: "", name: "J. (x", nameFrom: 12 }];
    const { drafts } = await written(() => one("j. (x runs to Ann.", 1), { known: { persons } });
    expect(drafts.map(({ text }) => text)).toEqual(["The dog runs to Ann."]);
    const inside = await written(() => one("Annabel opens a door.", 1), {
      known: { persons: [{ label: "the woman", looks: "", name: "Anna", nameFrom: 12 }] },
    });
    expect(inside.asked).toHaveLength(1);
  });

  test("text on screen may take twice the words of a line", async () => {
    const text = numbered(24);
    const events = [eventAt(1, 3, "a sign", { kind: "text" }), ...EVENTS.slice(1)];
    const long = await written(() => one(text, 1), { events });
    expect(long.asked[1]?.askedBack[0] ?? "").not.toContain("longer than");
    expect((await written(() => one(text, 1))).asked[1]?.askedBack[0]).toContain("longer than 12 words");
    // Whatever else the line tells.
    const late = [eventAt(1, 3, "a door"), eventAt(2, 4, "a sign", { kind: "text" }), ...EVENTS.slice(2)];
    const both = await written(() => one(text, 1, 2), { events: late });
    expect(both.asked[1]?.askedBack[0] ?? "").not.toContain("longer than");
  });

  test("GEN-19: all text of a screen is read out whole in extended AD where that is asked for, and not elsewhere", async () => {
    const events = [eventAt(1, 3, "a slide", { kind: "text" })];
    const slide = `A slide: ${numbered(100)}`;
    const more = { events, type: "extended", readsAllOnscreenText: true } as const;
    const whole = await written(() => one(slide, 1), more);
    expect(whole.asked).toHaveLength(1);
    expect(whole.asked[0]?.system).toContain("Read out ALL on-screen text, word for word");
    expect(whole.drafts.map(({ text }) => text)).toEqual([slide]);
    const longer = await written(() => one(`A slide: ${numbered(300)}`, 1), more);
    expect(longer.asked[1]?.askedBack[0]).toContain("longer than 150 words");
    const summed = await written(() => one(slide, 1), { ...more, readsAllOnscreenText: false });
    expect(summed.asked[1]?.askedBack[0]).toContain("longer than 24 words");
    expect(summed.asked[0]?.system).not.toContain("Read out ALL");
    const standard = await written(() => one(slide, 1), { ...more, type: "standard" });
    expect(standard.asked[0]?.system).not.toContain("Read out ALL");
    expect(standard.asked).toHaveLength(2);
  });

  test("in extended AD, says how many words all lines may have", async () => {
    const { asked } = await written(() => one("A woman opens a door.", 1), {
      type: "extended",
      maximumAddedShare: 0.5,
    });
    expect(asked[0]?.prompt).toMatch(/^Write the lines of the scene .* At most \d\d words in all\./);
    expect(asked[0]?.system).toContain("The film is held while a line is spoken");
  });

  test("counts languages without spaces in characters: asks for so many, and asks again for fewer", async () => {
    const long =
      "一个穿着棕色长外套的高个子男人在黄昏时分沿着安静的港口墙壁慢慢地走着，远处有几只白色的海鸥在灰色的水面上盘旋，天空越来越暗，风也越来越大了";
    const { asked, drafts } = await written(
      ({ askedBack }) => one(askedBack.length === 0 ? long : "一个男人沿着港口慢慢地走着", 1),
      { language: "cmn-CN" },
    );
    expect(asked[0]?.prompt).toContain("Beat 1, 0.0 s to 7.7 s, at most 41 characters:");
    expect(asked[1]?.askedBack[0]).toContain("longer than 21 characters");
    expect(drafts.map(({ text }) => text)).toEqual(["一个男人沿着港口慢慢地走着。"]);
  });

  test("asks for nothing where there is no room, or nothing to tell; what is under speech is told where there is room", async () => {
    expect((await written(() => one("x", 1), { gaps: [] })).asked).toEqual([]);
    expect((await written(() => one("x", 1), { events: [] })).asked).toEqual([]);
    const underSpeech = await written(() => one("Somebody knocks on it.", 1), { events: [eventAt(1, 9, "a knock")] });
    expect(underSpeech.drafts).toHaveLength(1);
    const later = await written(() => one("She reads a letter.", 3), {
      gaps: [{ start: 10, end: 20, sound: "ambience" }],
    });
    expect(later.drafts).toHaveLength(1);
    // A hold makes room where there is none.
    expect((await written(() => one("x", 1), { gaps: [], type: "extended" })).asked).not.toEqual([]);
  });

  test("lines without a word are silence", async () => {
    const { drafts, notes } = await written(() => ({ lines: [...one("...", 1).lines, ...one(" - ", 2).lines] }));
    expect(drafts).toEqual([]);
    expect(notes).toEqual([]);
  });

  test("a scene that is refused is tried in two halves, and told in a note where they are so too", async () => {
    const [words, note] = ["I cannot assist.", "The model refused to write the scene"];
    expect(await written(() => words)).toMatchObject({
      drafts: [],
      notes: [`${note} from 0.0 s to 10.2 s.`, `${note} from 10.2 s to 20.0 s.`],
    });
    const half = await written(({ prompt }) => (prompt.includes("Event 1,") ? words : one("She reads a letter.", 3)));
    expect(half.drafts.map(({ text }) => text)).toEqual(["She reads a letter."]);
    expect(half.notes).toEqual([`${note} from 0.0 s to 10.2 s.`]);
  });

  test.each([
    ["refused", "I cannot assist."],
    ["nonsense", "Red."],
  ])("a scene that is %s because of its second half is told as far as that", async (_name, words) => {
    const told = { lines: [...one("A woman opens a door.", 1).lines, ...one("A dog runs in.", 2).lines] };
    const other = await written(({ prompt }) => (prompt.includes("Event 3,") ? words : told));
    expect(other.drafts.map(({ text }) => text)).toEqual(["A woman opens a door.", "A dog runs in."]);
    expect(other.asked.at(-1)?.prompt).toContain("Spoken before: <<<\n  A woman opens a door.\n  A dog runs in.");
  });
});
