import { beforeEach, describe, expect, test } from "vitest";
import { SoundPlayer } from "../../../src/host/uxp/sound-player.ts";
import { SetClock, turns } from "../../fakes/set-clock.ts";

let clock: SetClock;
/** What was asked of the hosts, in order. */
let asked: string[];
beforeEach(() => {
  clock = new SetClock();
  asked = [];
});

/** Something that plays sounds: whether it does, and whether it can be ended, is the test's. */
const host = (name: string, plays: () => Promise<boolean>, ends: () => Promise<void> = async () => undefined) => ({
  name,
  play: (path: string) => {
    asked.push(`${name} plays ${path}`);
    return plays();
  },
  stop: () => {
    asked.push(`${name} stops`);
    return ends();
  },
});
const well = async () => true;

/** Whether what was begun is over. */
function ended(work: Promise<void>): { isOver: boolean; error: unknown } {
  const state: { isOver: boolean; error: unknown } = { isOver: false, error: null };
  const over = (error: unknown = null) => Object.assign(state, { isOver: true, error });
  work.then(() => over(), over);
  return state;
}

describe("a sound that is played", () => {
  test("is heard as long as it lasts, and then the host shows what it showed", async () => {
    const player = new SoundPlayer({ hosts: [host("a", well), host("b", well)], clock });
    const one = ended(player.play("/a.wav", 3));
    await turns();
    expect(asked).toEqual(["a plays /a.wav"]);
    // Half a second longer, for nobody says when it is over.
    await clock.pass(3_499);
    await turns();
    expect(one.isOver).toBe(false);
    await clock.pass(1);
    await turns();
    expect([one, asked]).toEqual([{ isOver: true, error: null }, ["a plays /a.wav", "a stops"]]);
  });

  test.each<[string, () => Promise<boolean>]>([
    ["plays nothing", async () => false],
    ["raises", () => Promise.reject(new Error("No monitor."))],
  ])("is played by the next host where one %s, and that one is ended first", async (_, plays) => {
    const player = new SoundPlayer({ hosts: [host("a", plays), host("b", well)], clock });
    void player.play("/a.wav", 3);
    await turns();
    expect(asked).toEqual(["a plays /a.wav", "a stops", "b plays /a.wav"]);
  });

  test("that nothing plays is told, with what each host did", async () => {
    const hosts = [
      host("a", async () => false),
      host("b", (): Promise<boolean> => Promise.reject(new Error("No monitor."))),
    ];
    const one = ended(new SoundPlayer({ hosts, clock }).play("/a.wav", 3));
    await turns();
    expect(one).toMatchObject({ isOver: true, error: { code: "host_failed" } });
    expect(JSON.stringify(one.error)).toMatch(/a plays nothing.*b raises No monitor\./s);
  });

  test("ends at once when it is stopped, though its host does not", async () => {
    const refuses = (): Promise<void> => Promise.reject(new Error("Busy."));
    const player = new SoundPlayer({ hosts: [host("a", well, refuses)], clock });
    const one = ended(player.play("/a.wav", 3));
    await turns();
    player.stop();
    await turns();
    expect([one, asked]).toEqual([{ isOver: true, error: null }, ["a plays /a.wav", "a stops"]]);
  });

  test("gives way to the next one; one that never had its turn is not heard", async () => {
    const player = new SoundPlayer({ hosts: [host("a", well)], clock });
    const [first, second] = ["/a.wav", "/b.wav"].map((path) => ended(player.play(path, 3)));
    void player.play("/c.wav", 3);
    await turns();
    expect(asked).toEqual(["a plays /c.wav"]);
    expect([first?.isOver, second?.isOver]).toEqual([true, true]);
  });

  test("that follows one is played once the host has ended that, though nothing could be played before", async () => {
    const free = Promise.withResolvers<void>();
    let plays = [async () => true, async () => false, async () => true];
    const next = () => {
      const [now = well, ...later] = plays;
      plays = later;
      return now();
    };
    const player = new SoundPlayer({ hosts: [host("a", next, () => free.promise)], clock });
    const first = ended(player.play("/a.wav", 3));
    await turns();
    const second = ended(player.play("/b.wav", 3));
    await turns();
    expect([asked, first.isOver]).toEqual([["a plays /a.wav", "a stops"], false]);
    free.resolve();
    await turns();
    expect([first, second.error]).toMatchObject([{ isOver: true, error: null }, { code: "host_failed" }]);
    const third = ended(player.play("/c.wav", 3));
    await turns();
    expect([asked.at(-1), third.isOver]).toEqual(["a plays /c.wav", false]);
  });
});
