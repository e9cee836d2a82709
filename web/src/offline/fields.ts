// Checks the fields of untrusted data: required ones exist, and have the right type.

import { type Reason, refuse } from './refusal.ts';

export type Fields = Readonly<Record<string, unknown>>;
type Fits<T> = (value: unknown) => value is T;

/** A required field that must fit; `kind` names what is expected (`kind.<kind>`). Throws a
 * `Refusal` that names its place. */
export function need<T>(
  data: Fields,
  place: Reason,
  field: string,
  kind: string,
  fits: Fits<T>,
): T {
  if (!Object.hasOwn(data, field)) refuse('notation.missing', { place, field });
  const value = data[field];
  if (!fits(value)) return refuse('notation.wrong_field', { place, field, kind: `kind.${kind}` });
  return value;
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isListOf<T>(fits: Fits<T>): Fits<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(fits);
}
