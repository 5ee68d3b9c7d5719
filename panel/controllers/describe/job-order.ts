import { defined } from "../../../src/core/defined.ts";
import { isLocalAddress } from "../../../src/core/local-address.ts";
import type { StretchOrder } from "../../../src/workflow/conform/describe-stretches.ts";
import type { DescribeOrder } from "../../../src/workflow/describe/run.ts";
import { explain } from "../../../src/workflow/explain.ts";
import { exportOf, trackOf } from "../../state/form.ts";
import { heardBefore } from "../../state/gap-look.ts";
import type { PanelState } from "../../state/panel-state.ts";
import type { JobEntry } from "../../state/saved.ts";

/**
 * What a job asks for.
 *
 * @param sendsAgain Whether its request may leave once more, though it may have been accepted and paid for.
 */
export function orderOf(state: PanelState, job: JobEntry, sendsAgain: boolean): DescribeOrder {
  const { runId, form, audioPath, serviceAddress } = job;
  const { captionFile: captions, scriptFile, settings } = form;
  const heard = job.adds === undefined ? heardBefore(state, job) : null;
  return {
    runId,
    settings: {
      ...settings,
      ...defined({ captions }),
      ...(scriptFile === undefined ? {} : { script: scriptFile.content }),
    },
    track: trackOf(form),
    export: exportOf(form),
    audioPath,
    ...(heard === null ? {} : { heard }),
    sendsAgain: sendsAgain || isLocalAddress(serviceAddress),
  };
}

/** The order of a job for each of its stretches. */
export function stretchOrder({ export: { preset }, audioPath, ...order }: DescribeOrder): StretchOrder {
  return {
    ...order,
    ...defined({ preset }),
    audioPathOf: (number) => audioPath.replace(/\.wav$/, `-${number}.wav`),
    sentenceOf: (error) => explain(error).sentence,
  };
}
