import { writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { HostError } from "../../../src/host/host-error.ts";
import { PremiereHost } from "../../../src/host/premiere/premiere-host.ts";
import { SourceMonitorPlayer } from "../../../src/host/premiere/project-bin.ts";
import { traced } from "../../../src/host/premiere/traced-premiere.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import { OTHERWISE, type Otherwise } from "../../fakes/premiere/faults.ts";
import { MemoryWorld } from "../../fakes/premiere/memory-world.ts";
import { noAnswers, otherwise, type WellAnswers } from "../../fakes/premiere/otherwise.ts";
import { SAMPLE_SEQUENCE_ID as ID } from "../../fakes/premiere/sample-project.ts";
import { IS_THOROUGH, thoroughTest } from "../../thorough/thorough-test.ts";
import { openSample } from "./open-premiere.ts";

const PROJECT = "project-sample";
const { signal } = new AbortController();
const TRANSCRIPT = JSON.stringify({
  language: "en-us",
  segments: [{ start: 1, duration: 2, words: [{ text: "Stay", start: 1, duration: 0.5, type: "word" }] }],
});

/** A Premiere of which members answer otherwise, later. */
function open(well: WellAnswers) {
  const world = new MemoryWorld();
  for (const path of ["/aside/captions.srt", "/presets/p.epr", "/media/harbour.mp4", "/media/music.wav"])
    world.files.set(path, { size: 9, facts: null });
  world.addSound("/aside/listen.wav", 2);
  world.addSound("/aside/gap.wav", 1);
  const clock = new InstantClock();
  const options = { world, faults: { encoder: "works" } as const, now: () => clock.now() };
  const premiere = openSample({ transcript: TRANSCRIPT, inFrame: 25, outFrame: 250 }, options);
  premiere.sourceMonitor.now = () => clock.now();
  const module = traced(otherwise(premiere.module, premiere.machine, well));
  const presets = {
    list: async () => [{ name: "p", path: "/presets/p.epr", origin: "ours", isProven: false } as const],
  };
  let made = 0;
  const newFile = async (extension: string) => `/aside/export-${++made}.${extension}`;
  const host = new PremiereHost({ premiere: module, clock, files: world, presets, newFile });
  return { premiere, host, player: new SourceMonitorPlayer(module, clock) };
}

type Opened = ReturnType<typeof open>;

/** What the panel asks of Premiere beside its journeys. */
const ASKED: Readonly<Record<string, (opened: Opened) => Promise<unknown>>> = {
  "read the volumes": ({ host }) => host.readLevels(ID),
  "change the volumes": async ({ host }) => {
    const points = [{ at: 0.5, gain: 0.125 }];
    const changes = [
      { trackIndex: 1, clipIndex: 0, gain: 1, points },
      { trackIndex: 2, clipIndex: 0, gain: 0.5, points: [] },
    ];
    const note = { name: "duck", text: "what was done" };
    return host.changeLevels({ sequenceId: ID, label: "Duck", note, changes }, { signal });
  },
  "open gaps": ({ host }) =>
    host.openGaps({ sequenceId: ID, label: "Hold", gaps: [{ at: 1, seconds: 1, path: "/aside/gap.wav" }] }, { signal }),
  "move the playhead": async ({ host }) => {
    await host.movePlayhead(ID, 1);
    return host.playhead(ID);
  },
  "keep a note": async ({ host }) => {
    await host.writeNote(ID, { name: "a", text: "b", label: "Keep" }, signal);
    await host.writeNote(ID, { name: "a", text: "", label: "Keep" }, signal);
    return host.readNote(ID, "a");
  },
  "read the transcripts": ({ host }) => host.transcribedCaptions(0),
  "write an AAF": ({ host }) => host.convert({ form: "aaf", path: "/out/a.aaf" }, signal),
  "write an OTIO": ({ host }) => host.convert({ form: "otio", path: "/out/a.otio" }, signal),
  "write an XML": ({ host }) => host.convert({ form: "xml", path: "/out/a.xml" }, signal),
  "import a file": ({ host }) => host.importFile("/aside/captions.srt", signal),
  "work on a copy": async ({ host }) => {
    const asLeft = await host.readTimeline();
    const { id } = await host.copySequence({ sequenceId: ID, name: "Copy" }, { signal });
    await host.openSequence(ID);
    return host.removeSequence(id, { asLeft, opensInstead: ID });
  },
  "export a stretch": async ({ host }) =>
    (await host.exportSequence({ range: { start: 1, end: 3 } }, { signal })).durationSeconds,
};

/** What is changed on the way to an answer, but for the identities of what is new, and its names, which older versions do not give. */
const stateOf = ({ premiere: { machine } }: Opened) =>
  JSON.stringify({ ...machine.sequence(PROJECT, ID), properties: null }, (key, value: unknown) =>
    ["id", "itemId", "name"].includes(key) ? undefined : typeof value === "bigint" ? String(value) : value,
  );

/** What was asked, and what became of it: `done` as if nothing was otherwise, `told`, or `less` where an answer holds less. */
const ended: Record<string, Record<string, "done" | "told" | "less">> = {};

/**
 * Asks with each member that is asked answering otherwise in some ways; gives what ended neither done nor in a sentence that names a
 * member, and what is called done and is not.
 */
async function unnamed(name: string, ask: (opened: Opened) => Promise<unknown>, ways: readonly Otherwise[]) {
  const well = noAnswers();
  const healthy = open(well);
  const answer = JSON.stringify(await ask(healthy));
  const state = stateOf(healthy);
  const found: string[] = [];
  for (const member of [...well.kinds.keys()].sort()) {
    for (const how of ways) {
      const one = open(well);
      one.premiere.faults.members = { [member]: how };
      const wrong = (what: string) => found.push(`${name}, ${member}: ${how}: ${what}`);
      const note = (ending: "done" | "told" | "less") => {
        ended[`${member}: ${how}`] = { ...ended[`${member}: ${how}`], [name]: ending };
      };
      try {
        const given = await ask(one);
        const isReport = typeof given === "object" && given !== null && "outcome" in given;
        if (isReport && given.outcome !== "done") {
          note("told");
          if (!("tried" in given) || !Array.isArray(given.tried) || given.tried.length === 0)
            wrong("no member is named");
        } else if (JSON.stringify(given) === answer) {
          note("done");
          if (stateOf(one) !== state) wrong("it is called done");
        } else note("less");
      } catch (error) {
        note("told");
        const isNone = error instanceof HostError && error.code === "no_sequence";
        if (!isNone && !(error instanceof HostError && /[A-Z]\w+\.\w/.test(error.tried.join()))) wrong(String(error));
      }
    }
  }
  return found;
}

/** What asks so much of Premiere that going through all of it takes seconds. */
const LONG = ["work on a copy", "open gaps", "export a stretch"];

const asked = Object.entries(ASKED).filter(([name]) => IS_THOROUGH || !LONG.includes(name));
test.each(asked)("%s: what answers later is waited for, or named", async (name, ask) => {
  expect(await unnamed(name, ask, ["later"])).toEqual([]);
});

// What never answers is gone through on the panel's journeys.
const WAYS = OTHERWISE.filter((how) => how !== "later" && how !== "never");

thoroughTest.each(Object.entries(ASKED))(
  "%s: whatever answers otherwise, it ends done or in a sentence that names a member",
  async (name, ask) => {
    expect(await unnamed(name, ask, WAYS)).toEqual([]);
  },
  300_000,
);

afterAll(() => {
  const { MATRIX_OF_CALLS: path } = process.env;
  if (path !== undefined) writeFileSync(path, JSON.stringify(ended));
});
