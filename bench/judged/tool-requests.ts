/** A request as an agent types it, and the canonical names of the tools that serve it. */
export interface ToolRequest {
  readonly asks: string;
  readonly right: readonly string[];
}

export const ask = (asks: string, ...right: string[]): ToolRequest => ({ asks, right });

/** Everyday words on purpose: most requests avoid the words in the names and summaries of the tools. */
export const toolRequests: readonly ToolRequest[] = [
  // Truth
  ask('remember that Dana moved to Lisbon', 'remember', 'store_fact', 'submit_payload'),
  ask('who works at Acme', 'get_related_entities', 'list_relationships', 'retrieve_entities', 'get_graph_neighborhood'),
  ask('everything we know about this customer', 'get_entity_snapshot', 'get_graph_neighborhood', 'list_observations'),
  ask('look somebody up by their email address', 'get_entity_by_identifier', 'retrieve_entities'),
  ask('where did this phone number come from', 'get_field_provenance', 'get_field_history'),
  ask('how did the price change over the years', 'get_field_history', 'list_observations'),
  ask('the address is wrong, fix it', 'correct_entity'),
  ask('I told you something false, forget it', 'retract_statement'),
  ask('delete everything about a person', 'forget', 'retract_statement', 'delete_record'),
  ask('these two companies are really the same one', 'merge_entities', 'list_potential_duplicates'),
  ask('split two people that were joined by mistake', 'unmerge_entities'),
  ask('is anybody in here twice', 'list_potential_duplicates'),
  ask('two documents disagree about the amount', 'list_contradictions', 'accept_contradiction'),
  ask('link Maria to the project she leads', 'create_relationship'),
  ask('they no longer belong together, take the link away', 'delete_relationship'),
  ask('I cut a connection between two people by accident, bring it back', 'restore_relationship'),
  ask('what is due next week', 'list_timeline_events'),
  ask('keep this pdf invoice', 'upload_file'),
  ask('give me a link to download the receipt', 'get_file_url'),
  ask('which kinds of connections can I use', 'list_relationship_types'),
  ask('save a copy of all facts to my disk', 'truth_export'),
  // Instructions
  ask('which rules do I have to follow for this task', 'instructions/applicable'),
  ask('what did this rule say last week', 'instructions/history', 'instructions/compare'),
  ask('put the old wording of the rule back', 'instructions/rollback'),
  ask('is there a guideline about naming branches', 'instructions/search', 'instructions/applicable'),
  ask('write down a new team convention', 'instructions/add', 'instructions/propose'),
  ask('suggest a change to a rule, somebody else decides', 'instructions/propose'),
  ask('what is waiting for my approval', 'instructions/proposals'),
  ask('say no to the suggested rule', 'instructions/reject'),
  ask('throw away an outdated rule', 'instructions/remove'),
  ask('get back a rule that was deleted', 'instructions/restore', 'instructions/rollback', 'instructions/listArchived'),
  ask('load our AGENTS.md', 'instructions_import_files', 'instructions_sync'),
  ask('change the owner of a rule and when it must be looked at again', 'instructions/governanceUpdate'),
  ask('which guidelines are used most', 'usage/hotset'),
  ask('does my prompt contain a password', 'prompt/review'),
  ask('report a problem with this server', 'feedback/submit'),
  ask('start over with no rules at all', 'instructions_reset'),
  // Notebooks
  ask('jot something down for later', 'scratch_create', 'scratch_append_cell'),
  ask('is my python cell valid', 'scratch_validate'),
  ask('find my notes about the migration', 'scratch_search'),
  ask('edit what I wrote in the third cell', 'scratch_replace_cell'),
  ask('show me what is in my notes', 'scratch_read', 'scratch_list', 'scratch_list_cells'),
  ask('bring back the notes I deleted yesterday', 'scratch_restore', 'scratch_trash'),
  ask('turn my notes into a jupyter file', 'notebooks_export'),
  ask('get rid of a whole group of notes', 'scratch_namespace_delete'),
  ask('what labels have I used', 'scratch_list_tags'),
  // Knowledge
  ask('how do I use this library', 'search_docs'),
  ask('read the manual of an npm package I installed', 'knowledge_ingest', 'knowledge_add', 'search_docs'),
  ask('which manuals do you have', 'knowledge_list', 'knowledge_pages'),
  ask('show the full page of this help article', 'knowledge_read'),
  ask('scaffold a backend for me', 'get_feathers_template', 'knowledge_new', 'generate_service'),
  // Integrations
  ask('connect my bank', 'plaid_create_link_token', 'plaid_exchange_public_token'),
  ask('get my latest card payments', 'plaid_sync'),
  ask('hook up my calendar and email', 'connectors_add', 'list_provider_catalog'),
  ask('disconnect my inbox', 'connectors_remove'),
  ask('move over from another memory program', 'memories_import'),
  // System
  ask('are you alive', 'health/check'),
  ask('who changed this and when', 'audit/list', 'instructions/history'),
  ask('has somebody tampered with the log', 'audit/verify', 'audit_verify_all'),
  ask('undo my last change', 'instructions/rollback', 'retract_statement', 'scratch_restore', 'forget', 'audit/list'),
];
