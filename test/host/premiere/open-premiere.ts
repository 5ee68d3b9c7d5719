import { type PremiereDouble, type PremiereOptions, startPremiere } from "../../fakes/premiere/premiere.ts";
import { type SampleOptions, sampleProject } from "../../fakes/premiere/sample-project.ts";
import type { World } from "../../fakes/premiere/world.ts";

/** A world without a disk: nothing exists, nothing renders. */
const EMPTY_WORLD: World = {
  exists: async () => false,
  probe: async () => null,
  render: async () => undefined,
  touch: async () => undefined,
  save: async () => undefined,
};

/** A Premiere with the sample project open, whose macrotasks are as quick as Node has them. */
export function openSample(sample: SampleOptions = {}, options: Partial<PremiereOptions> = {}): PremiereDouble {
  return startPremiere({
    project: sampleProject(sample),
    world: EMPTY_WORLD,
    schedule: (run) => void setImmediate(run),
    ...options,
  });
}
