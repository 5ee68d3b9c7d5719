import { PremiereHost } from "../../src/host/premiere/premiere-host.ts";
import { InstantClock } from "../fakes/instant-clock.ts";
import { MemoryWorld } from "../fakes/premiere/memory-world.ts";
import { SAMPLE_SEQUENCE_ID } from "../fakes/premiere/sample-project.ts";
import { type HostUnderTest, hostSuite } from "../suites/host.ts";
import { openSample } from "./premiere/open-premiere.ts";

for (const staleness of ["commit", "await"] as const) {
  hostSuite(`Premiere, handles expiring at each ${staleness}`, async () => inPremiere(staleness));
}

function inPremiere(staleness: "commit" | "await"): HostUnderTest {
  const world = new MemoryWorld();
  world.files.set("/plugin/proxy.epr", { size: 1, facts: null });
  const clock = new InstantClock();
  const premiere = openSample({}, { world, faults: { staleness }, now: () => clock.now() });
  const host = new PremiereHost({
    premiere: premiere.module,
    clock,
    files: world,
    presets: { list: async () => [{ name: "Proxy", path: "/plugin/proxy.epr", origin: "ours", isProven: false }] },
    newFile: async (extension) => `/aside/export-1.${extension}`,
  });
  return {
    host,
    sound: async (name, seconds) => {
      world.addSound(`/aside/${name}`, seconds);
      return `/aside/${name}`;
    },
    size: (path) => world.size(path),
    undo: () => void premiere.user.undo(),
    readNote: (name) => host.readNote(SAMPLE_SEQUENCE_ID, name),
    exportsStretches: true,
    vanishedMarker: "reported",
  };
}
