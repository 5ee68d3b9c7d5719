/** A document of Word or Excel that cannot be read or written. Its message follows the name of the file, without full stop. */
export class OfficeFault extends Error {}
