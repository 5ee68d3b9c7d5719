import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Child } from "../../panel/document/element.ts";
import { openReview } from "../../panel/state/opened-review.ts";
import type { PanelState } from "../../panel/state/panel-state.ts";
import { DEFAULT_SETTINGS } from "../../src/core/settings.ts";
import type { Result } from "../../src/result/result.ts";
import { signOff } from "../../src/result/sign-off.ts";
import { voicedCues } from "../../src/result/stale.ts";
import { placedResult } from "../fakes/placed-result.ts";
import { jobEntry, TextFiles } from "../panel/session-in-memory.ts";
import { buttonsOf, type PageActions, pageActions, press, textOf } from "./page-actions.ts";
import { deskOf } from "./service-desk.ts";

/** What is used of the page's part; it is of a browser, whose types these tests do without. */
interface RoomModule {
  readonly ReviewRoom: new (
    desk: object,
    review: object,
    actions: object,
  ) => {
    elsewhere(state: PanelState): readonly Child[];
    header(state: PanelState, logOut: () => void): Child;
  };
  reviewFoot(state: PanelState, review: object, actions: object): Child;
}
const { ReviewRoom, reviewFoot }: RoomModule = await import(
  String(new URL("../../page/review-room.ts", import.meta.url))
);

describe("the page of a link for a review", () => {
  const LINK = { job_id: "j1", media_id: "m1", run_id: "run-1", expires_at: "2026-03-04T00:00:00Z" };
  let page: PageActions;
  let asked: readonly string[];
  let room: InstanceType<RoomModule["ReviewRoom"]>;

  function enter(members: Parameters<typeof pageActions>[0] = {}): void {
    page = pageActions(members);
    const { desk, asked: told } = deskOf();
    asked = told;
    room = new ReviewRoom(page.ports.wrap(desk), LINK, page.actions);
  }
  beforeEach(() => enter());
  const open = () => page.act(() => room.elsewhere(page.session.state));

  test("opens its film once, with what was asked for, under the run that the link names", async () => {
    await open();
    expect(asked).toEqual(["order j1", "media m1"]);
    expect(page.did).toHaveLength(1);
    expect(page.did[0]).toMatch(/^jobQueue.takeUp .*"runId":"run-1".*"isVerified":true.*"jobId":"j1"/);
    await open();
    expect(page.did).toHaveLength(1);
  });

  test.each([
    ["failed", [`jobQueue.resume ["run-1"]`]],
    ["stopped", [`jobQueue.resume ["run-1"]`]],
    // It goes on by itself.
    ["running", []],
    ["waiting", []],
  ] as const)("goes on with a run that is %s, among those of other films", async (state, wanted) => {
    page.session.store.set({ jobs: [jobEntry({ runId: "other" }), jobEntry({ state })] });
    await open();
    expect([page.did, asked]).toEqual([wanted, []]);
  });

  test("tells where a run that failed cannot go on", async () => {
    page.session.store.set({ jobs: [jobEntry({ state: "failed" })] });
    await page.act(() => room.elsewhere(page.session.state), 0);
    expect(page.session.state.message?.isFault).toBe(true);
  });

  test.each([
    [true, `reviewController.open ["run-1"]`],
    [false, `jobQueue.fetchAgain ["run-1"]`],
  ])("opens a script that was read here as it was left; its sound is there: %s", async (isThere, wanted) => {
    const files = new TextFiles();
    enter({ files: files as never });
    const { session } = page;
    const job = jobEntry();
    await session.library.saveResult(placedResult([], { audio: { path: job.audioPath, durationSeconds: 9 } as never }));
    if (isThere) files.texts.set(job.audioPath, "x");
    session.store.set({ jobs: [jobEntry({ runId: "other" }), job] });
    await open();
    expect(page.did).toEqual([wanted]);
  });

  test("leads back to the script, says until when it can be reviewed, and lets whoever reads log out", () => {
    const { session } = page;
    expect(buttonsOf(room.elsewhere(session.state))).toEqual([]);
    session.store.set({ review: {} as never });
    void press(room.elsewhere(session.state), "to-review");
    expect(page.did).toContain(`panelController.go ["review"]`);
    const logOut = vi.fn();
    onTestFinished(() => void logOut.mockReset());
    const header = room.header(session.state, logOut);
    expect(textOf(header)).toContain("2026-03-04");
    press(header, "log-out");
    expect(logOut).toHaveBeenCalledOnce();
  });
});

describe("at the foot of a script on the page", () => {
  const CUES = [1, 5].map((start) => ({ id: `c${start}`, start, end: start + 2, text: `At ${start}.` }));
  const voiced = voicedCues(CUES, DEFAULT_SETTINGS);
  const audio = { path: "a.wav", start: 0, durationSeconds: 60 };

  /** The foot of a result of these lines, all voiced as they read, with what differs; its menu is open. */
  function foot(change: Partial<Result> = {}) {
    const page = pageActions();
    const review = openReview(placedResult(CUES, { voiced, audio, ...change }), jobEntry());
    page.session.store.set({ review, isMenuOpen: true });
    return { ...page, drawn: reviewFoot(page.session.state, review, page.actions) };
  }

  test("what changed can be voiced, where anything did and there is a voice at all", async () => {
    const changed = CUES.map((cue) => ({ ...cue, text: `${cue.text} Now.` }));
    const offered = (change: Partial<Result>) => buttonsOf(foot(change).drawn).includes("voice-changed");
    expect([offered({}), offered({ cues: changed, track: "none" }), offered({ cues: changed })]).toEqual([
      false,
      false,
      true,
    ]);
    const { act, did, drawn } = foot({ cues: changed });
    expect(textOf(drawn)).toContain("Record 2 changed lines");
    await act(() => press(drawn, "voice-changed"));
    expect(did).toEqual(["jobQueue.voice []"]);
  });

  test("it is signed off first, and delivered first once that counts; the other is in the menu", async () => {
    // Behind what is in the menu, and before the menu's own button.
    const mainOf = (drawn: Child) => buttonsOf(drawn).at(-2);
    const open = foot().drawn;
    expect([mainOf(open), buttonsOf(open).includes("open-delivery")]).toEqual(["sign-off", true]);
    const signed = foot({ signOff: signOff(CUES, "Kim", "2026-01-01T00:00:00Z") });
    expect([mainOf(signed.drawn), buttonsOf(signed.drawn).includes("withdraw")]).toEqual(["open-delivery", true]);
    await signed.act(() => press(signed.drawn, "open-delivery"));
    expect(signed.did).toEqual(["deliverController.open []"]);
    // What was signed reads otherwise by now.
    const other = foot({ signOff: signOff(CUES.slice(1), "Kim", "2026-01-01T00:00:00Z") });
    expect(mainOf(other.drawn)).toBe("sign-off");
  });

  test("the menu does what it says", async () => {
    for (const [id, wanted] of [
      ["accept-all", "reviewController.acceptAll []"],
      ["open-bible", `panelController.go ["bible"]`],
      ["open-keys", `panelController.go ["keys"]`],
      ["voice-whole", "jobQueue.voice []"],
    ] as const) {
      const { act, did, drawn } = foot({ pieces: { c1: { path: "c1.wav", start: 1, durationSeconds: 2 } } });
      await act(() => press(drawn, id));
      expect(did).toContain(wanted);
    }
    expect(buttonsOf(foot().drawn)).not.toContain("voice-whole");
    expect(() => press(foot({ cues: [] }).drawn, "open-delivery")).toThrow("no button");
  });
});
