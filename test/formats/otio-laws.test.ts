import { parseOtio } from "../../src/formats/otio/read-otio.ts";
import { writeOtio } from "../../src/formats/otio/write-otio.ts";
import { describeTimelineText } from "../suites/timeline-format.ts";

describeTimelineText({ name: "otio", parse: parseOtio, write: writeOtio });
