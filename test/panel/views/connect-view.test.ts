import { describe, expect, test } from "vitest";
import type { PanelEnvironment } from "../../../panel/session/environment.ts";
import type { PanelState } from "../../../panel/state/panel-state.ts";
import { connectView, testWords } from "../../../panel/views/connect-view.ts";
import { contactView } from "../../../panel/views/contact-view.ts";
import { words } from "../../../panel/words/words.ts";
import { jobEntry } from "../session-in-memory.ts";
import { outlineOf, usesOf } from "./drawn.ts";
import { viewPage } from "./view-page.ts";

const HERE = "http://127.0.0.1:8420";
const CLOUD = "https://cloud.example";
const COMPANION = { address: HERE, version: "1.0.0" };
const elsewhere: Partial<PanelState> = { service: { address: CLOUD }, addressDraft: CLOUD, companion: COMPANION };

function shown(state: Partial<PanelState> = {}, members: Partial<PanelEnvironment> = {}) {
  const page = viewPage(state, members);
  return { ...page, draw: () => connectView(page.session.state, page.actions) };
}

describe("the service in use", () => {
  test("that does not run: what works all the same, what waits for it, and how it starts", async () => {
    const page = shown({ jobs: [jobEntry()] }, { startCompanion: async () => true });
    expect(outlineOf(page.draw())).toEqual([
      `heading “${words.companionAbsent}” level=2`,
      words.companionHow,
      words.worksNow,
      "list",
      `  listitem : ✓ ${words.worksWithout[0]}`,
      `  listitem : ✓ ${words.worksWithout[1]}`,
      `  listitem : ✓ ${words.worksWithout[2]}`,
      words.waitsForAside,
      "list",
      `  listitem : ○ ${words.waitsWithout[0]}`,
      `  listitem : ○ ${words.waitsWithout[1]}`,
      words.descriptionsSafe,
      `button “${words.companionStart}” #start-companion`,
      `button “${words.companionLook}” #look-again`,
      `group “${words.whereItRuns}”`,
      `  ${words.whereItRuns} ${words.runsAt({ host: "127.0.0.1:8420" })}`,
      `  button “${words.changeWriter}: ${words.whereItRuns}” #section-another-service expanded=false : ${words.changeWriter}`,
    ]);
    expect(await usesOf(page, page.draw())).toEqual({
      "start-companion": ["settingsController.start()"],
      "look-again": ["settingsController.lookAgain()", `says “${words.companionAbsent}”`],
      "section-another-service": ['formController.toggleSection("another-service")'],
    });
    expect(outlineOf(shown({}).draw()).join()).not.toMatch(/start-companion|safe/);
  });

  test("that was started leads on to describing, unless somebody went elsewhere; one that is not found is said", async () => {
    const pressed = async (id: string, view: PanelState["view"], isThere: boolean) => {
      const page = shown({ view }, { startCompanion: async () => true });
      const look = async () => page.session.store.set({ companion: isThere ? COMPANION : null });
      Object.assign(page.answers, { "settingsController.start": look, "settingsController.lookAgain": look });
      return (await usesOf(page, page.draw()))[id]?.filter((one) => !/^(settingsController|companion)/.test(one));
    };
    expect(await pressed("start-companion", "connect", true)).toEqual(['panelController.go("describe")']);
    expect(await pressed("start-companion", "history", true)).toEqual([]);
    expect(await pressed("start-companion", "connect", false)).toEqual([]);
    expect(await pressed("look-again", "connect", false)).toEqual([`says “${words.companionAbsent}”`]);
    expect(await pressed("look-again", "connect", true)).toEqual([]);
  });

  test("is tried, and paired with, before its settings are looked for, which a key may open; not where that fails", async () => {
    for (const [id, deed] of [
      ["test-connection", "test"],
      ["pair", "pair"],
    ] as const) {
      for (const state of ["works", "untested"] as const) {
        const page = shown({ ...elsewhere, codeDraft: "123456" });
        page.answers[`connection.${deed}`] = async () => page.session.store.set({ connection: { state } });
        const asked = (await usesOf(page, page.draw()))[id]?.filter((one) => one.includes("("));
        expect(asked).toEqual([`connection.${deed}()`, ...(state === "works" ? ["settingsController.look()"] : [])]);
      }
    }
  });

  test("on this computer says its version, and what is to be brought up to date", () => {
    expect(outlineOf(shown({ companion: COMPANION }).draw())).toEqual([
      `group “${words.whereItRuns}”`,
      `  ${words.whereItRuns} ${words.companionRuns({ version: "1.0.0" })}`,
      `  button “${words.changeWriter}: ${words.whereItRuns}” #section-another-service expanded=false : ${words.changeWriter}`,
      words.untested,
      `button “${words.test}” #test-connection`,
    ]);
    for (const version of ["0.9.0", "1.1.0"]) {
      const [line] = outlineOf(shown({ companion: { ...COMPANION, version } }).draw()).filter((one) =>
        one.includes("⚠"),
      );
      expect(Object.values(words.outdated).some((said) => line?.includes(said))).toBe(true);
    }
  });

  test("elsewhere has address, key and code in sight, and the way back", async () => {
    const page = shown({ ...elsewhere, shownKey: "••••1234", keyDraft: "new", codeDraft: "123 456" });
    expect(outlineOf(page.draw())).toEqual([
      `group “${words.whereItRuns}”`,
      `  ${words.whereItRuns} ${words.writerThere({ host: "cloud.example" })}`,
      `  button “${words.useLocal}” #use-local`,
      `  textbox “${words.address}” #service-address = https://cloud.example`,
      `  ${words.keyKept({ shown: "••••1234" })}`,
      `  textbox “${words.pairingCode}” #pairing-code = 123 456 (${words.pairingCodeHint})`,
      `  button “${words.pair}” #pair`,
      `  textbox “${words.key}” #service-key = new (${words.keyReplace})`,
      `  button “${words.saveKey}” #save-key`,
      `  button “${words.forgetKey}” #forget-key`,
      `  textbox “${words.planMinutes}” #plan-minutes =  (${words.planMinutesHint})`,
      words.untested,
      `button “${words.test}” #test-connection`,
    ]);
    const typed = { "service-address": "https://b.example", "plan-minutes": "90,5" };
    expect(await usesOf(page, page.draw(), typed)).toEqual({
      "use-local": ['connection.useAddress("http://127.0.0.1:8420")'],
      "service-address": ['connection.useAddress("https://b.example")', 'addressDraft: "https://b.example"'],
      "pairing-code": ['codeDraft: "typed"'],
      pair: ["connection.pair()"],
      "service-key": ['keyDraft: "typed"'],
      "save-key": ["connection.keepKey()"],
      "forget-key": ["connection.forgetKey()"],
      "plan-minutes": ["keepPreferences()", 'service: {"address":"https://cloud.example","planMinutes":90.5}'],
      "test-connection": ["connection.test()"],
    });
    expect((await usesOf(page, page.draw(), { "plan-minutes": "none" }))["plan-minutes"]).toEqual([
      "keepPreferences()",
    ]);
  });

  test("on this computer that asks for a key says how to come by one; its fields open and close", async () => {
    const page = shown({
      companion: COMPANION,
      openSections: ["another-service"],
      service: { address: HERE, planMinutes: 90 },
    });
    const lines = outlineOf(page.draw());
    expect(lines).toEqual([
      `group “${words.whereItRuns}”`,
      `  ${words.whereItRuns} ${words.companionRuns({ version: "1.0.0" })}`,
      `  button “${words.close}: ${words.whereItRuns}” #section-another-service expanded=true : ${words.close}`,
      `  textbox “${words.address}” #service-address = http://127.0.0.1:8420`,
      `  ${words.localHint}`,
      `  ${words.keyMissing}`,
      `  textbox “${words.pairingCode}” #pairing-code =  (${words.pairingCodeHint})`,
      `  button “${words.pair}” #pair disabled`,
      `  textbox “${words.key}” #service-key = `,
      `  button “${words.saveKey}” #save-key disabled`,
      `  textbox “${words.planMinutes}” #plan-minutes = 90 (${words.planMinutesHint})`,
      words.untested,
      `button “${words.test}” #test-connection`,
    ]);
    expect((await usesOf(page, page.draw()))["section-another-service"]).toEqual([
      'formController.toggleSection("another-service")',
    ]);
  });

  test.each(["12345", "1234567", "12345a", ""])("takes no code of %j", (codeDraft) => {
    expect(
      outlineOf(shown({ ...elsewhere, codeDraft }).draw()).filter((line) => line.includes("#pair disabled")),
    ).toHaveLength(1);
  });

  test("of an address that cannot be is not tried, and says why", () => {
    const lines = outlineOf(shown({ ...elsewhere, addressDraft: "http://cloud.example", codeDraft: "123456" }).draw());
    expect(
      lines.filter((line) => /service-address|#pair|test-connection/.test(line)).map((line) => line.trim()),
    ).toEqual([
      `textbox “${words.address}” #service-address = http://cloud.example (${words.addressFaults.unencrypted})`,
      `textbox “${words.pairingCode}” #pairing-code = 123456 (${words.pairingCodeHint})`,
      `button “${words.pair}” #pair disabled`,
      `button “${words.test}” #test-connection disabled`,
    ]);
  });
});

test("what came of a test is told in sentences", () => {
  const fault = { code: "x", sentence: "It refused.", next: "Ask for a key." };
  expect(testWords({ state: "fails", fault })).toEqual(["It refused.", "Ask for a key."]);
  expect(["untested", "testing", "works"].map((state) => testWords({ state } as never))).toEqual([
    [words.untested],
    [words.testing],
    [words.testWorks],
  ]);
  const lines = outlineOf(shown({ ...elsewhere, connection: { state: "fails", fault } }).draw());
  expect(lines).toContain("✕ It refused. Ask for a key.");
});

test("the ways to what the host was found to do, and to the tools, stand where there are such", async () => {
  const page = shown({}, { contact: { version: "26", learnt: { recall: () => undefined } } as never });
  const actions = Object.create(page.actions, { tools: { value: {} } });
  const drawn = connectView(page.session.state, actions);
  const { "open-contact": contact, "open-diagnostics": tools } = await usesOf(page, drawn);
  expect({ contact, tools }).toEqual({
    contact: ['panelController.go("contact")'],
    tools: ['panelController.go("diagnostics")'],
  });
  expect(outlineOf(page.draw()).join()).not.toContain("open-diagnostics");
});

describe("a host that was met", () => {
  const ANSWERS = [
    { name: "members", outcome: "usual", seen: "all there" },
    { name: "loopback", outcome: "open", seen: "nobody answered" },
    { name: "sequence", outcome: "differs", seen: "another one" },
    { name: "sound", outcome: "differs", seen: "silent" },
  ];
  function met(
    recalled: Readonly<Record<string, string>>,
    contact: PanelState["contact"] = { milliseconds: 1260, answers: ANSWERS } as never,
  ) {
    const learnt = { recall: (name: string) => recalled[name] };
    const page = viewPage({ contact }, { contact: { version: "26.3", learnt } as never });
    return { ...page, draw: () => contactView(page.session.state, page.actions) };
  }

  test("is told trial by trial, and each difference as what is done about it", async () => {
    const page = met({ pace: "slow", button: "button", import: "a copy of each" });
    expect(outlineOf(page.draw())).toEqual([
      words.contactTitle({ version: 26.3 }),
      words.contactTook({ seconds: 1.3 }),
      `list “${words.views.contact}” #contact`,
      `  listitem : ✓ ${words.contactNames.members} all there`,
      `  listitem : – ${words.contactNames.loopback} nobody answered`,
      `  listitem : ! ${words.contactNames.sequence} another one`,
      `  listitem : ! ${words.contactNames.sound} silent`,
      "3 things work differently This Premiere has another way to read a sequence. Aside uses it. This Premiere plays no sound in a panel. Aside plays it in the source monitor. This Premiere imports nothing from the project’s folder. Aside imports a copy from its own folder.",
      `checkbox “${words.slowPace}” #slow-pace checked (${words.slowPaceHint})`,
      `checkbox “${words.plainButtons}” #plain-buttons checked (${words.plainButtonsHint})`,
      words.reportHint,
      `button “${words.contactContinue}” #contact-continue`,
      `button “${words.contactAgain}” #contact-again`,
      `button “${words.remedies["copy-report"]}” #copy-contact`,
    ]);
    expect(await usesOf(page, page.draw())).toEqual({
      "slow-pace": ["contactController.giveTime(false)"],
      "plain-buttons": ["contactController.usePlainButtons(false)"],
      "contact-continue": ['panelController.go("describe")'],
      "contact-again": ["contactController.tryAgain()"],
      "copy-contact": ["contactController.copyReport(null)"],
    });
  });

  test("that was not tried, or differs in nothing, is told so", () => {
    expect(outlineOf(met({}, null).draw())).toEqual([
      words.contactTitle({ version: 26.3 }),
      words.contactNone,
      `checkbox “${words.slowPace}” #slow-pace (${words.slowPaceHint})`,
      `checkbox “${words.plainButtons}” #plain-buttons (${words.plainButtonsHint})`,
      words.reportHint,
      `button “${words.contactContinue}” #contact-continue`,
      `button “${words.contactAgain}” #contact-again`,
      `button “${words.remedies["copy-report"]}” #copy-contact`,
    ]);
    const usual = { milliseconds: 900, answers: ANSWERS.slice(0, 1) } as never;
    expect(outlineOf(met({ import: "the file" }, usual).draw()).slice(0, 4)).toEqual([
      words.contactTitle({ version: 26.3 }),
      words.contactTook({ seconds: 0.9 }),
      `list “${words.views.contact}” #contact`,
      `  listitem : ✓ ${words.contactNames.members} all there`,
    ]);
  });
});
