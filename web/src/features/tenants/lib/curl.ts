/** A first call to try a new key with. */
export function curlExample(origin: string, key: string): string {
  return `curl -H "Authorization: Bearer ${key}" ${origin}/api/workspace`;
}
