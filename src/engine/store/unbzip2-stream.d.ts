/** The package has no types of its own: a stream of before Node 4 that takes bzip2 and gives what is in it. */
declare module "unbzip2-stream" {
  const unbzip2: () => NodeJS.ReadWriteStream;
  export = unbzip2;
}
