const parseNames = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Functions whose work and result are bounded by their arguments. */
export const functions = parseNames(`
  count sum avg min max stddev stddev_samp stddev_pop variance var_samp var_pop corr covar_pop covar_samp
  regr_slope regr_intercept regr_r2 bool_and bool_or every string_agg percentile_cont percentile_disc mode
  row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
  abs ceil ceiling floor round trunc sign sqrt ln log log10 exp power mod div
  upper lower initcap length char_length character_length left right substr btrim ltrim rtrim split_part strpos
  starts_with concat concat_ws replace reverse
  now date_trunc date_part age make_date to_date to_char date isfinite
`);

/** Functions that the grammar calls for its own syntax: extract(), trim(), substring(… from …), AT TIME ZONE. */
export const grammarFunctions = parseNames('extract btrim ltrim rtrim substring position timezone');

/** Functions whose result is text, and functions whose result is one of their arguments. */
export const textFunctions = parseNames(`
  string_agg upper lower initcap left right substr substring btrim ltrim rtrim split_part concat concat_ws replace
  reverse to_char
`);
export const passThroughFunctions = parseNames(
  'min max mode first_value last_value nth_value lag lead percentile_disc',
);

export const operators = parseNames('= <> != < > <= >= + - * / % || ~~ !~~ ~~* !~~*');

/** Functions of each kind of node that an expression's own syntax creates. */
export const expressionKinds = parseNames(`
  AEXPR_OP AEXPR_OP_ANY AEXPR_OP_ALL AEXPR_DISTINCT AEXPR_NOT_DISTINCT AEXPR_NULLIF AEXPR_IN AEXPR_LIKE AEXPR_ILIKE
  AEXPR_BETWEEN AEXPR_NOT_BETWEEN AEXPR_BETWEEN_SYM AEXPR_NOT_BETWEEN_SYM
`);

export const subqueryKinds = parseNames('EXISTS_SUBLINK ALL_SUBLINK ANY_SUBLINK EXPR_SUBLINK');

export const timeValues = parseNames(`
  SVFOP_CURRENT_DATE SVFOP_CURRENT_TIME SVFOP_CURRENT_TIMESTAMP SVFOP_LOCALTIME SVFOP_LOCALTIMESTAMP
`);

export const types = parseNames(`
  text varchar int2 int4 int8 float4 float8 numeric bool date timestamp timestamptz time interval uuid
  integer bigint smallint decimal boolean
`);

/** Advice for functions that people try but that are not allowed. */
export const functionAdvice: Readonly<Record<string, string>> = {
  array_agg: "array_agg() is not available; use string_agg(text, ', ') or return rows.",
  json_agg: 'JSON is not available; return rows.',
  generate_series: 'Functions in FROM are not available; read the tables.',
  unnest: 'Functions in FROM are not available; read the tables.',
  regexp_replace: 'Regular expressions are not available; use LIKE, ILIKE, split_part() or replace().',
  regexp_match: 'Regular expressions are not available; use LIKE, ILIKE, split_part() or replace().',
  format: 'format() is not available; use || or concat().',
  version: 'Facts about the server are not available; read the tables.',
};
export const operatorAdvice: Readonly<Record<string, string>> = {
  '^': 'The operator ^ is not available; use power(a, b).',
  '~': 'Regular expressions are not available; use LIKE or ILIKE.',
  '~*': 'Regular expressions are not available; use LIKE or ILIKE.',
  '->': 'JSON is not available; the tables hold none.',
  '->>': 'JSON is not available; the tables hold none.',
};
