import type { Timeline } from "../../core/timeline.ts";
import { editFcp7Xml, editOtio, writeFcp7Xml, writeOtio } from "../../formats/index.ts";
import type { EditPlan } from "../../host/edit-plan.ts";
import { applyPlan, type PlacedSound } from "../../host/headless/apply-plan.ts";
import { timelineEditOf } from "../../host/headless/timeline-edit-of.ts";
import { HostError } from "../../host/host-error.ts";

/** A timeline document that was read. */
export interface TimelineText {
  readonly format: string;
  readonly text: string;
  readonly timeline: Timeline;
}

/**
 * The text of a timeline after a plan. In its own format only what the plan names changes, to the byte; in another one the
 * whole timeline is written anew.
 *
 * @param format `otio` or `fcp7-xml`.
 * @param soundOf Tells about each sound file that the plan places.
 */
export function textAfterPlan(
  document: TimelineText,
  plan: EditPlan,
  format: string,
  soundOf = (path: string): PlacedSound => ({ location: path, channels: 1, sampleRate: 48_000 }),
): string {
  const { timeline } = applyPlan(document.timeline, plan, soundOf);
  if (format !== document.format) return format === "otio" ? writeOtio(timeline) : writeFcp7Xml(timeline);
  const steps = plan.groups.flatMap((group) => group.steps);
  const edit = { name: document.timeline.name, ...timelineEditOf(steps, document.timeline, timeline, soundOf) };
  const result = format === "otio" ? editOtio(document.text, edit) : editFcp7Xml(document.text, edit);
  if (result.ok) return result.text;
  const context = { operation: "change the timeline", state: "nothing was written" };
  throw new HostError("apply_failed", result.issues[0]?.message ?? "the timeline cannot be changed", context);
}
