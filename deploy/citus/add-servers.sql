-- Runs on the coordinator, and may be run again. For another worker add a line here and a service to compose.yaml.
select citus_set_coordinator_host('coordinator', 5432);
select citus_add_node('worker-1', 5432);
select citus_add_node('worker-2', 5432);
