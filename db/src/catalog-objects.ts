/** Of the catalog: tables and what hangs on them, types, functions, and kinds of objects of which there are to be none. */
import { digest, grants, isOurs, roleName, WHOLE, yesNo } from './catalog-fragments.ts'

const KIND = `CASE l.kind WHEN 'r' THEN 'table' WHEN 'p' THEN 'table' WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view'
  WHEN 'S' THEN 'sequence' WHEN 'f' THEN 'foreign table' END`

/** Before PostgreSQL 16 a view's text names its table at every column: what it reads is a fact of its own. */
const VIEW = `CASE WHEN l.kind IN ('v', 'm') THEN jsonb_build_object(
    'text', ${digest(`regexp_replace(regexp_replace(pg_get_viewdef(c.oid), '\\m\\w+\\.', '', 'g'), '\\s+', ' ', 'g')`)},
    'reads', (SELECT coalesce(string_agg(DISTINCT format('%s.%s', d.refobjid::regclass, a.attname), ', '), '') FROM pg_rewrite w
      JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> c.oid
      JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid WHERE w.ev_class = c.oid)) ELSE '{}' END`

const relations = `SELECT ${KIND} || ' ' || l.label AS subject, l.part, jsonb_strip_nulls(jsonb_build_object(
    'owner', ${roleName('c.relowner')}, 'logged', ${yesNo("c.relpersistence = 'p'")},
    'row security', CASE WHEN c.relforcerowsecurity THEN 'forced' ELSE ${yesNo('c.relrowsecurity')} END,
    'options', array_to_string(c.reloptions, ', '), 'divided', CASE WHEN l.kind = 'p' THEN pg_get_partkeydef(c.oid) END,
    'inherits', (SELECT string_agg(i.inhparent::regclass::text, ', ' ORDER BY i.inhseqno) FROM pg_inherits i WHERE i.inhrelid = c.oid AND NOT c.relispartition),
    'numbers', (SELECT concat_ws(' ', format_type(s.seqtypid, NULL), s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcycle) FROM pg_sequence s WHERE s.seqrelid = c.oid)))
    || ${VIEW} || CASE WHEN l.kind = 'S' THEN ${grants('c.relacl', 's', 'c.relowner')} ELSE ${grants('c.relacl', 'r', 'c.relowner')} END AS attributes
  FROM relations l JOIN pg_class c ON c.oid = l.oid WHERE l.kind <> 'c'`

const columns = `SELECT format('column %s of %s', a.attname, l.label) AS subject, l.part, jsonb_strip_nulls(jsonb_build_object(
    'type', format_type(a.atttypid, a.atttypmod), 'not null', ${yesNo('a.attnotnull')},
    'default', pg_get_expr(d.adbin, d.adrelid), 'identity', nullif(a.attidentity, ''), 'generated', nullif(a.attgenerated, '')))
    || ${grants('a.attacl', 'c', 'c.relowner')} AS attributes
  FROM relations l JOIN pg_class c ON c.oid = l.oid JOIN pg_attribute a ON a.attrelid = l.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE l.kind <> 'S'`

/**
 * Of a partition, the names of its parent's; keys that refer to another table are kept by triggers, which can be switched off. That a part of the
 * ledger takes nothing more is the work of its seal.
 */
const constraints = `SELECT format('constraint %s on %s', coalesce((SELECT p.conname FROM pg_constraint p WHERE p.oid = k.conparentid), k.conname),
      coalesce(l.label, format_type(k.contypid, NULL))) AS subject, l.part,
    jsonb_strip_nulls(jsonb_build_object('definition', pg_get_constraintdef(k.oid), 'validated', ${yesNo('k.convalidated')},
      'enforced', CASE WHEN k.contype = 'f' THEN (SELECT ${yesNo("bool_and(t.tgenabled = 'O')")} FROM pg_trigger t WHERE t.tgconstraint = k.oid) END)) AS attributes
  FROM pg_constraint k LEFT JOIN relations l ON l.oid = k.conrelid
  WHERE k.contype IN ('p', 'u', 'f', 'c', 'x') AND (l.oid IS NOT NULL OR k.contypid <> 0 AND k.oid >= 16384)
    AND NOT EXISTS (SELECT FROM pg_constraint p WHERE p.oid = k.conparentid AND p.conrelid = k.conrelid)
    AND NOT (k.conname = 'part_is_sealed' AND l.part IS NOT NULL AND pg_get_expr(k.conbin, k.conrelid) = 'false')`

const indexes = `SELECT format('index %s on %s', coalesce((SELECT p.relname FROM pg_inherits h JOIN pg_class p ON p.oid = h.inhparent WHERE h.inhrelid = i.indexrelid), c.relname),
      l.label) AS subject, l.part,
    jsonb_build_object('unique', ${yesNo('i.indisunique')}, 'valid', ${yesNo('i.indisvalid AND i.indisready AND i.indislive')},
      'definition', substring(pg_get_indexdef(i.indexrelid) FROM ' USING .*')) AS attributes
  FROM pg_index i JOIN relations l ON l.oid = i.indrelid JOIN pg_class c ON c.oid = i.indexrelid`

const triggers = `SELECT format('trigger %s on %s', t.tgname, l.label) AS subject, l.part,
    jsonb_build_object('definition', replace(pg_get_triggerdef(t.oid), ' ON ' || t.tgrelid::regclass || ' ', ' '),
      'enabled', CASE t.tgenabled WHEN 'O' THEN 'yes' WHEN 'D' THEN 'no' WHEN 'A' THEN 'always' ELSE 'for replicas' END) AS attributes
  FROM pg_trigger t JOIN relations l ON l.oid = t.tgrelid WHERE NOT t.tgisinternal`

const rules = `SELECT format('rule %s on %s', w.rulename, l.label) AS subject, l.part,
    jsonb_build_object('definition', pg_get_ruledef(w.oid), 'enabled', w.ev_enabled) AS attributes
  FROM pg_rewrite w JOIN relations l ON l.oid = w.ev_class WHERE NOT (l.kind IN ('v', 'm') AND w.rulename = '_RETURN')`

const policies = `SELECT format('policy %s on %s', p.polname, l.label) AS subject, l.part,
    jsonb_strip_nulls(jsonb_build_object('command', p.polcmd, 'permissive', ${yesNo('p.polpermissive')},
      'roles', (SELECT string_agg(r.name, ', ' ORDER BY r.name) FROM roles r WHERE r.oid = ANY (p.polroles)),
      'sees', pg_get_expr(p.polqual, p.polrelid), 'writes', pg_get_expr(p.polwithcheck, p.polrelid))) AS attributes
  FROM pg_policy p JOIN relations l ON l.oid = p.polrelid`

const functions = `SELECT 'function ' || f.oid::regprocedure AS subject, ${WHOLE}, jsonb_strip_nulls(jsonb_build_object(
    'text', ${digest("f.prosrc || coalesce(pg_get_function_sqlbody(f.oid), '') || coalesce(f.probin, '')")}, 'owner', ${roleName('f.proowner')},
    'language', (SELECT lanname FROM pg_language WHERE oid = f.prolang), 'kind', f.prokind,
    'arguments', pg_get_function_arguments(f.oid), 'answers', pg_get_function_result(f.oid),
    'with the rights of its owner', ${yesNo('f.prosecdef')}, 'settings', array_to_string(f.proconfig, '; '),
    'volatility', f.provolatile, 'parallel', f.proparallel, 'strict', ${yesNo('f.proisstrict')}, 'leakproof', ${yesNo('f.proleakproof')},
    'support', nullif(f.prosupport::oid, 0)::regproc::text)) || ${grants('f.proacl', 'f', 'f.proowner')} AS attributes
  FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace WHERE ${isOurs('n.nspname', 'f.oid')}`

const types = `SELECT 'type ' || format_type(t.oid, NULL) AS subject, ${WHOLE}, jsonb_strip_nulls(jsonb_build_object('kind', t.typtype, 'owner', ${roleName('t.typowner')},
    'labels', (SELECT string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid),
    'of', CASE t.typtype WHEN 'd' THEN format_type(t.typbasetype, t.typtypmod) END, 'not null', ${yesNo('t.typnotnull')}, 'default', t.typdefault))
    || ${grants('t.typacl', 'T', 't.typowner')} AS attributes
  FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace LEFT JOIN pg_class c ON c.oid = t.typrelid
  WHERE ${isOurs('n.nspname', 't.oid')} AND (t.typtype IN ('e', 'd', 'r') OR t.typtype = 'b' AND t.typcategory <> 'A' OR c.relkind = 'c')`

export const OBJECTS: readonly string[] = [
  relations,
  columns,
  constraints,
  indexes,
  triggers,
  rules,
  policies,
  functions,
  types,
]

const languages = `SELECT 'language ' || l.lanname AS subject, ${WHOLE}, jsonb_strip_nulls(jsonb_build_object('trusted', ${yesNo('l.lanpltrusted')},
    'handler', nullif(l.lanplcallfoid, 0)::regproc::text)) || ${grants('l.lanacl', 'l', 'l.lanowner')} AS attributes FROM pg_language l`

const extensions = `SELECT 'extension ' || e.extname AS subject, ${WHOLE},
    jsonb_build_object('schema', e.extnamespace::regnamespace::text) AS attributes FROM pg_extension e`

/** Kinds of objects that no migration makes: one that is there is named. */
const NONE = [
  'pg_cast',
  'pg_operator',
  'pg_opclass',
  'pg_opfamily',
  'pg_collation',
  'pg_conversion',
  'pg_ts_config',
  'pg_ts_dict',
  'pg_ts_parser',
  'pg_ts_template',
  'pg_am',
  'pg_transform',
  'pg_foreign_data_wrapper',
  'pg_foreign_server',
  'pg_event_trigger',
  'pg_publication',
  'pg_statistic_ext',
]
const others = NONE.map(
  (catalog) => `SELECT i.type || ' ' || i.identity AS subject, ${WHOLE}, '{}'::jsonb AS attributes
    FROM ${catalog} o, LATERAL pg_identify_object('${catalog}'::regclass, o.oid, 0) i WHERE o.oid >= 16384`,
)

const subscriptions = `SELECT 'subscription ' || s.subname AS subject, ${WHOLE}, '{}'::jsonb AS attributes
  FROM pg_subscription s WHERE s.subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())`

export const LISTED: readonly string[] = [languages, extensions, subscriptions, ...others]
