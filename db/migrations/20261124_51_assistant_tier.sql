-- What tier_of() reads of a member's own rows is for billing to say: it runs with the rights of its caller, here the role "assistant".
grant select on public.subscriptions, public.tier_grants to assistant;
