import { Prisma } from "#prisma/generated/client.ts";

/** A place of a point request takes about as long as so many values of a map. */
const VALUES_PER_POINT = 100;

/** A task of up to this many values, which is 100 places, is small. */
const SMALL_VALUES = 10_000;

/** Values that count as much as one second of age: a large task waits a few minutes for smaller ones, never for ever. */
const VALUES_PER_SECOND = 100_000;

/**
 * Order among the tasks of one owner: the shortest remaining first, and age counts. It changes only with a finished piece.
 *
 * @param remaining Points or values that are not computed yet.
 */
export function rankOf(kind: Prisma.Sql, remaining: Prisma.Sql, createdAt: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${valuesOf(kind, remaining)} + ${VALUES_PER_SECOND}::float8 * extract(epoch FROM ${createdAt})`;
}

function valuesOf(kind: Prisma.Sql, size: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${size} * CASE ${kind} WHEN '2DMetOcean' THEN 1 ELSE ${VALUES_PER_POINT}::float8 END`;
}

/** Of a row: whether the whole task is small. */
export const isSmall = Prisma.sql`${valuesOf(Prisma.sql`kind`, Prisma.sql`size`)} <= ${SMALL_VALUES}`;
