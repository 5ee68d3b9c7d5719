import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SAMPLE_CLIP } from "../../src/cli/sample.ts";
import { type DescribedSource, openSource } from "../../src/cli/source/described-source.ts";
import type { Timeline } from "../../src/core/timeline.ts";
import { writeFcp7Xml, writeOtio } from "../../src/formats/index.ts";
import { nodeFiles } from "../../src/host/headless/files.ts";
import { silentWav } from "../fakes/wav.ts";
import { type HostUnderTest, hostSuite } from "../suites/host.ts";
import { temporaryFolder } from "../temporary-folder.ts";

hostSuite(
  "a media file",
  onDisk(() => SAMPLE_CLIP, { exportsStretches: false }),
);

hostSuite(
  "an OTIO timeline",
  onDisk(() => timelineFile("cut.otio", writeOtio), { exportsStretches: true }),
);

hostSuite(
  "a Final Cut Pro 7 timeline",
  onDisk(() => timelineFile("cut.xml", writeFcp7Xml), { exportsStretches: true }),
);

hostSuite(
  "a Final Cut Pro X timeline",
  onDisk(() => timelineFile("cut.fcpxml", fcpxml), { exportsStretches: true }),
);

/** Opens hosts over files, each in a folder of its own, put together as the command line does it. What they show is opened once. */
function onDisk(path: () => string | Promise<string>, can: Pick<HostUnderTest, "exportsStretches">) {
  let opened: Promise<DescribedSource> | undefined;
  return async () => {
    opened ??= Promise.resolve(path()).then((shown) => openSource(shown, new AbortController().signal));
    return hostOver(await opened, can);
  };
}

async function hostOver(source: DescribedSource, can: Pick<HostUnderTest, "exportsStretches">): Promise<HostUnderTest> {
  const folder = await temporaryFolder();
  return {
    ...can,
    host: source.hostIn(folder, (made) => made),
    sound: async (name, seconds) => {
      await writeFile(join(folder, name), silentWav(seconds, 1));
      return join(folder, name);
    },
    size: nodeFiles.size,
    undo: null,
    readNote: null,
    vanishedMarker: "refused",
  };
}

/** A timeline file of four seconds of the sample, with a marker of the editor's own. */
async function timelineFile(name: string, write: (timeline: Timeline) => string): Promise<string> {
  const folder = await temporaryFolder();
  const source = await openSource(SAMPLE_CLIP, new AbortController().signal);
  const whole = await source.hostIn(folder, (made) => made).readTimeline();
  const tracks = whole.tracks.map((track) => ({ ...track, clips: track.clips.map((clip) => ({ ...clip, end: 4 })) }));
  const markers = [{ start: 1.5, end: 1.5, name: "Check grade", comment: "too warm", colour: "blue" }];
  const path = join(folder, name);
  await writeFile(path, write({ ...whole, tracks, markers }));
  return path;
}

/** Such a timeline as Final Cut Pro writes it. Ours is never written in this format. */
function fcpxml({ rate }: Timeline): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE fcpxml>
<fcpxml version="1.10">
  <resources>
    <format id="r1" frameDuration="${rate.denominator}/${rate.numerator}s" width="640" height="360"/>
    <asset id="r2" name="film" start="0s" duration="20s" hasVideo="1" hasAudio="1" audioChannels="2" format="r1">
      <media-rep kind="original-media" src="${pathToFileURL(SAMPLE_CLIP)}"/>
    </asset>
  </resources>
  <project name="Harbour">
    <sequence format="r1" duration="4s" tcStart="0s">
      <spine>
        <asset-clip ref="r2" name="film" offset="0s" start="0s" duration="4s">
          <marker start="3/2s" duration="${rate.denominator}/${rate.numerator}s" value="Check grade" note="too warm"/>
        </asset-clip>
      </spine>
    </sequence>
  </project>
</fcpxml>
`;
}
