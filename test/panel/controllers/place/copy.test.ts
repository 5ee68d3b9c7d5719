import { expect, test } from "vitest";
import { NARRATION_TRACK_NAME } from "../../../../src/host/edit-plan.ts";
import { SAMPLE_SEQUENCE_ID } from "../../../fakes/premiere/sample-project.ts";
import type { SequenceState } from "../../../fakes/premiere/state.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../../open-panel.ts";
import { sequenceOf } from "../conform/recut.ts";

const PLACED = "Done: Place";

/** Every sequence of the project but the sample's own. */
function copiesOf({ premiere }: PanelOnDoubles): SequenceState[] {
  const { sequences } = premiere.machine.project("project-sample");
  return [...sequences.values()].filter(({ id }) => id !== SAMPLE_SEQUENCE_ID);
}

function activeId({ premiere }: PanelOnDoubles): string | null {
  return premiere.machine.project("project-sample").activeSequenceId;
}

async function placedOnCopy(panel: PanelOnDoubles): Promise<SequenceState> {
  await placeOnCopy(panel);
  await panel.sees(PLACED);
  await panel.sees("which is open.");
  const [copy] = copiesOf(panel);
  if (copy === undefined) throw new Error("there is no copy");
  return copy;
}

/** Ticks the copy, and places. */
async function placeOnCopy(panel: PanelOnDoubles): Promise<void> {
  panel.menu().tick("wants-copy", true);
  await expect.poll(() => panel.page().byId("wants-copy").checked).toBe(true);
  panel.page().click("place");
}

test("a result goes onto a copy of the sequence, and the editor's cut is as it was", async () => {
  const panel = await panelOnDoubles();
  await panel.describe();
  const before = sequenceOf(panel);
  const copy = await placedOnCopy(panel);
  expect(sequenceOf(panel)).toEqual(before);
  expect([copy.name, activeId(panel)]).toEqual(["Harbour_v7 – described", copy.id]);
  expect(copy.markers.filter(({ name }) => name.startsWith("AD "))).toHaveLength(2);
  expect(copy.audioTracks.at(-1)).toMatchObject({
    name: NARRATION_TRACK_NAME,
    items: [{ isDisabled: false }, { isDisabled: false }],
  });
  expect(panel.premiere.machine.violations).toEqual([]);
});

test("the copy is found again by its identity, whatever it is called and whichever sequence is active", async () => {
  const panel = await panelOnDoubles();
  await panel.describe();
  const { id } = await placedOnCopy(panel);
  panel.premiere.user.editSequence(id, "Rename", (sequence) => ({ ...sequence, name: "For the mixer" }));
  panel.premiere.user.activateSequence(SAMPLE_SEQUENCE_ID);
  panel.page().click("dismiss");
  await placeOnCopy(panel);
  await panel.sees("Everything is on the timeline already.");
  await panel.sees("It is on the copy “For the mixer”");
  expect([copiesOf(panel).length, activeId(panel)]).toEqual([1, id]);
});

test("where the copy was deleted, another is made", async () => {
  const panel = await panelOnDoubles();
  await panel.describe();
  const { id } = await placedOnCopy(panel);
  panel.premiere.user.activateSequence(SAMPLE_SEQUENCE_ID);
  panel.premiere.machine.edit("project-sample", "Delete", (draft) => {
    const sequences = new Map(draft.sequences);
    sequences.delete(id);
    return { ...draft, sequences };
  });
  panel.page().click("dismiss");
  const another = await placedOnCopy(panel);
  expect(another.id).not.toBe(id);
});

test("taken back, the copy goes, and the project has the sequences it had", async () => {
  const panel = await panelOnDoubles();
  await panel.describe();
  const before = sequenceOf(panel);
  await placedOnCopy(panel);
  panel.page().click("take-back");
  await panel.sees("the copy “Harbour_v7 – described” is removed");
  expect([copiesOf(panel), sequenceOf(panel), activeId(panel)]).toEqual([[], before, SAMPLE_SEQUENCE_ID]);
  // Placed on a copy again, it is a new one.
  panel.page().click("dismiss");
  await placedOnCopy(panel);
  expect(copiesOf(panel)).toHaveLength(1);
});

test("taken back after somebody has worked on it, the copy stays with that work, and it is said", async () => {
  const panel = await panelOnDoubles();
  await panel.describe();
  const { id, videoTracks } = await placedOnCopy(panel);
  const cut = videoTracks.map((track) => ({ ...track, items: [] }));
  panel.premiere.user.editSequence(id, "Clear", (sequence) => ({ ...sequence, videoTracks: cut }));
  panel.page().click("take-back");
  await panel.sees("The copy “Harbour_v7 – described” stays");
  expect(copiesOf(panel)).toMatchObject([{ id, videoTracks: cut }]);
});

test("a copy that Premiere does not remove is named, to be deleted by hand", async () => {
  const panel = await panelOnDoubles();
  panel.premiere.faults.deleteSequence = "nothing";
  await panel.describe();
  await placedOnCopy(panel);
  panel.page().click("take-back");
  await panel.sees('Premiere did not remove "Harbour_v7 – described". Delete it in the project panel.');
  expect(panel.page().withAttribute("data-action", "take-back")).toEqual([]);
});
