/** Whether an address is this computer's own: nothing that is sent there leaves it. */
export function isLocalAddress(address: string): boolean {
  return /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:\/|$)/i.test(address.trim());
}
