/** Pieces of the statements that read the catalog. They speak of the common tables `roles` and `relations`. */

/** `no part`, for what is never a partition's. */
export const WHOLE = 'NULL::text AS part'

export const roleName = (oid: string): string => `(SELECT name FROM roles WHERE oid = ${oid})`

export const yesNo = (condition: string): string => `CASE WHEN ${condition} THEN 'yes' ELSE 'no' END`

/** A digest that two texts share when they are the same. */
export const digest = (text: string): string => `left(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), 16)`

/**
 * What others than the owner may do, `role may` each. To connect is not counted: who can needs a password still.
 * @param kind the letter by which PostgreSQL knows the defaults of such an object
 */
export const grants = (acl: string, kind: string, owner: string): string =>
  `(SELECT coalesce(jsonb_object_agg(name || ' may', privileges), '{}') FROM (
    SELECT r.name, string_agg(DISTINCT a.privilege_type || CASE WHEN a.is_grantable THEN ' (and grant it)' ELSE '' END, ', ') AS privileges
    FROM aclexplode(coalesce(${acl}, acldefault('${kind}', ${owner}))) a JOIN roles r ON r.oid = a.grantee
    WHERE a.grantee <> ${owner} AND a.privilege_type <> 'CONNECT' GROUP BY r.name) granted)`

export const isOurs = (schema: string, oid: string): string =>
  `(${schema} NOT IN ('pg_catalog', 'information_schema') AND ${schema} !~ '^pg_(toast|temp)' OR ${oid} >= 16384 AND ${schema} !~ '^pg_(toast|temp)')`
