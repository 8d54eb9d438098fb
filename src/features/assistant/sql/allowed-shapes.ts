/**
 * Allowed kinds of parser nodes, each with its allowed fields. Everything else is rejected, including nodes and fields
 * of a later version of the grammar.
 */
export const allowedShapes: Readonly<Record<string, readonly string[]>> = {
  SelectStmt: [
    ...['distinctClause', 'targetList', 'fromClause', 'whereClause', 'groupClause', 'groupDistinct', 'havingClause'],
    ...['windowClause', 'valuesLists', 'sortClause', 'limitOffset', 'limitCount', 'limitOption', 'withClause'],
    ...['op', 'all', 'larg', 'rarg'],
  ],
  WithClause: ['ctes'],
  CommonTableExpr: ['ctename', 'aliascolnames', 'ctematerialized', 'ctequery'],
  ResTarget: ['name', 'val'],
  RangeVar: ['schemaname', 'relname', 'inh', 'relpersistence', 'alias'],
  RangeSubselect: ['lateral', 'subquery', 'alias'],
  JoinExpr: ['jointype', 'isNatural', 'larg', 'rarg', 'usingClause', 'quals'],
  Alias: ['aliasname', 'colnames'],
  ColumnRef: ['fields'],
  A_Star: [],
  A_Const: ['ival', 'fval', 'sval', 'boolval', 'isnull'],
  A_Expr: ['kind', 'name', 'lexpr', 'rexpr', 'rexpr_list_start', 'rexpr_list_end'],
  A_ArrayExpr: ['elements', 'list_start', 'list_end'],
  BoolExpr: ['boolop', 'args'],
  NullTest: ['arg', 'nulltesttype', 'argisrow'],
  BooleanTest: ['arg', 'booltesttype'],
  CaseExpr: ['arg', 'args', 'defresult'],
  CaseWhen: ['expr', 'result'],
  CoalesceExpr: ['args'],
  MinMaxExpr: ['op', 'args'],
  SubLink: ['subLinkType', 'testexpr', 'operName', 'subselect'],
  FuncCall: [
    ...['funcname', 'args', 'agg_order', 'agg_filter', 'over', 'agg_within_group', 'agg_star', 'agg_distinct'],
    'funcformat',
  ],
  WindowDef: [...['name', 'refname', 'partitionClause', 'orderClause', 'frameOptions', 'startOffset', 'endOffset']],
  SortBy: ['node', 'sortby_dir', 'sortby_nulls'],
  GroupingSet: ['kind', 'content'],
  GroupingFunc: ['args'],
  SQLValueFunction: ['op', 'typmod'],
  TypeCast: ['arg', 'typeName'],
  TypeName: ['names', 'typmods', 'typemod', 'arrayBounds'],
  List: ['items'],
  String: ['sval'],
  Integer: ['ival'],
};

/** Fields that contain a node without its kind. */
export const untaggedNodeKinds: Readonly<Record<string, string>> = {
  'SelectStmt.withClause': 'WithClause',
  'SelectStmt.larg': 'SelectStmt',
  'SelectStmt.rarg': 'SelectStmt',
  'RangeVar.alias': 'Alias',
  'RangeSubselect.alias': 'Alias',
  'FuncCall.over': 'WindowDef',
  'TypeCast.typeName': 'TypeName',
  'A_Const.ival': 'Integer',
  'A_Const.fval': 'Float',
  'A_Const.sval': 'String',
  'A_Const.boolval': 'Boolean',
};

/** Alternative fields of a constant's value. */
export const constantShapes: Readonly<Record<string, readonly string[]>> = { Float: ['fval'], Boolean: ['boolval'] };

/** Advice for syntax that people try but that is not allowed: by kind, or by kind and field. */
export const shapeAdvice: Readonly<Record<string, string>> = {
  RangeFunction: 'Functions in FROM are not available; read the tables.',
  RangeTableSample: 'TABLESAMPLE is not available; use LIMIT.',
  RangeTableFunc: 'XMLTABLE is not available; read the tables.',
  JsonTable: 'JSON_TABLE is not available; read the tables.',
  A_Indirection: 'Subscripts and fields of rows are not available; name the column.',
  RowExpr: 'Rows are not available as values; compare column by column.',
  CollateClause: 'COLLATE is not available; use lower() to sort without regard to case.',
  ParamRef: 'Parameters are not available; write the value.',
  BitString: 'Bit strings are not available.',
  'A_Const.bsval': 'Bit strings are not available.',
  'SelectStmt.intoClause': 'INTO is not available: nothing can be written.',
  'SelectStmt.lockingClause': 'FOR UPDATE and FOR SHARE are not available: nothing can be locked.',
  'WithClause.recursive': 'WITH RECURSIVE is not available; write WITH without it.',
  'RangeVar.catalogname': 'Name the table without its database.',
  'JoinExpr.alias': 'Parentheses around joins cannot have an alias; give each table its own.',
  'JoinExpr.join_using_alias': 'USING cannot have an alias; give each table its own.',
  'FuncCall.func_variadic': 'VARIADIC is not available; name the arguments.',
  'CommonTableExpr.search_clause': 'SEARCH is not available.',
  'CommonTableExpr.cycle_clause': 'CYCLE is not available.',
};
