import { editOtio } from "../../src/formats/otio/edit-otio.ts";
import { parseOtio } from "../../src/formats/otio/read-otio.ts";
import { writeOtio } from "../../src/formats/otio/write-otio.ts";
import { describeTimelineEdits } from "../suites/timeline-format.ts";

describeTimelineEdits({ name: "otio", parse: parseOtio, write: writeOtio, edit: editOtio });
