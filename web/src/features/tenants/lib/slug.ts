const MAX_LENGTH = 63; // the longest DNS label, so that a slug fits anywhere

export const SLUG_RULE = "Lower-case letters, digits and hyphens, beginning with a letter or a digit";

export function isSlug(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,62}$/.test(text);
}

export function slugify(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, "");
}
