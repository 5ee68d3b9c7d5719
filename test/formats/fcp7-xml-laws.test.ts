import { parseFcp7Xml } from "../../src/formats/fcp7-xml/read-fcp7-xml.ts";
import { writeFcp7Xml } from "../../src/formats/fcp7-xml/write-fcp7-xml.ts";
import { describeTimelineText } from "../suites/timeline-format.ts";

describeTimelineText({ name: "fcp7-xml", parse: parseFcp7Xml, write: writeFcp7Xml });
