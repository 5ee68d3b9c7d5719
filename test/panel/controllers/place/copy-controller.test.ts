import { beforeEach, describe, expect, test } from "vitest";
import { ApplyController } from "../../../../panel/controllers/place/apply-controller.ts";
import { CopyController } from "../../../../panel/controllers/place/copy-controller.ts";
import type { PanelEnvironment } from "../../../../panel/session/environment.ts";
import { openReview } from "../../../../panel/state/opened-review.ts";
import type { SequenceInfo } from "../../../../src/host/host.ts";
import { HostError } from "../../../../src/host/host-error.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { madeTimeline } from "../../../made-timeline.ts";
import { jobEntry, type SessionInMemory, sessionInMemory } from "../../session-in-memory.ts";

const ORIGINAL = jobEntry().sequence;

let made: SessionInMemory;
let controller: CopyController;
let apply: ApplyController;
/** Sequences that are there, by id; and whether a copy may be removed, as nobody has worked on it. */
let there: Map<string, SequenceInfo>;
let isUntouched: boolean;
let removed: string[];
beforeEach(() => {
  there = new Map([[ORIGINAL.id, ORIGINAL]]);
  isUntouched = true;
  removed = [];
  const editor = {
    readTimeline: async () => madeTimeline([]),
    apply: async () => ({ outcome: "done", differences: [], markerIds: {} }),
    async openSequence(id: string) {
      const found = there.get(id);
      if (found !== undefined) return found;
      throw new HostError("no_sequence", "it is gone", { operation: "open", state: "nothing was changed" });
    },
    async copySequence({ name }: { name: string }) {
      const copy = { ...ORIGINAL, id: `copy-${there.size}`, name };
      there.set(copy.id, copy);
      return copy;
    },
    async removeSequence(id: string, { opensInstead }: { opensInstead: string }) {
      expect(opensInstead).toBe(ORIGINAL.id);
      if (!isUntouched) return false;
      removed.push(id);
      return there.delete(id);
    },
  } as unknown as PanelEnvironment["editor"];
  made = sessionInMemory({ editor });
  apply = new ApplyController(made.session);
  const everything = async () => {
    await apply.apply("placing", { sequenceId: "any", groups: [] }, {});
  };
  controller = new CopyController(made.session, apply, { everything });
  const job = jobEntry();
  made.session.store.set({ jobs: [job], review: openReview(placedResult([]), job) });
});

const copyId = () => made.session.state.jobs[0]?.copyId;
const onDisk = () => JSON.parse(made.files.texts.get("/panel/results/run-1.job.json") ?? "{}").value?.copyId;
const shown = () => made.session.state.review?.sequence.id;

describe("a result that is placed on a copy", () => {
  test("is placed on a new one the first time, and on the same one from then on", async () => {
    await controller.place();
    expect([copyId(), onDisk(), shown()]).toEqual(["copy-1", "copy-1", "copy-1"]);
    await controller.place();
    expect([copyId(), there.size]).toEqual(["copy-1", 2]);
    expect(made.session.state.message?.details?.[0]).toContain(ORIGINAL.name);
  });

  test("gets a new one where the old one is gone, and none where it cannot be looked for", async () => {
    await controller.place();
    there.delete("copy-1");
    await controller.place();
    expect(copyId()).toBe("copy-1");
    expect(there.has("copy-1")).toBe(true);
    const { editor } = made.session.environment as { editor: { openSequence: unknown } };
    editor.openSequence = () => Promise.reject(new HostError("host_failed", "busy", { operation: "open", state: "x" }));
    await expect(controller.place()).rejects.toMatchObject({ code: "host_failed" });
    expect(there.size).toBe(2);
  });

  test("and taken back goes with the copy that was made for it, and the original is shown", async () => {
    await controller.place();
    await apply.takeBack();
    expect(removed).toEqual(["copy-1"]);
    expect([copyId(), onDisk(), shown()]).toEqual([undefined, undefined, ORIGINAL.id]);
  });

  test("and taken back leaves a copy that somebody has worked on", async () => {
    await controller.place();
    isUntouched = false;
    await apply.takeBack();
    expect([removed, copyId(), onDisk(), shown()]).toEqual([[], "copy-1", "copy-1", "copy-1"]);
  });

  test("and taken back leaves a copy that was there before", async () => {
    await controller.place();
    await controller.place();
    await apply.takeBack();
    expect([removed, copyId()]).toEqual([[], "copy-1"]);
  });
});
