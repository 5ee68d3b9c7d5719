import type { Moment } from "../contract/moments.ts";
import { type JsonObject, listField, numberField, objectOf, textField } from "./field.ts";

/** Reads pictures of moments; one that is not whole is left out. */
export function readMoments(reply: JsonObject): Moment[] {
  return listField(reply, "pictures").flatMap((value) => {
    const picture = objectOf(value) ?? {};
    const [at, time] = [numberField(picture, "at"), numberField(picture, "time")];
    const [width, height] = [numberField(picture, "width"), numberField(picture, "height")];
    const jpeg = textField(picture, "jpeg");
    if (at === undefined || time === undefined || width === undefined || height === undefined) return [];
    // It goes into an address of a picture as it is.
    return jpeg === undefined || !/^[A-Za-z0-9+/]+=*$/.test(jpeg) ? [] : [{ at, time, width, height, jpeg }];
  });
}
