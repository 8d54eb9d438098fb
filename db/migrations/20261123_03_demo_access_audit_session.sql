-- Before a session is bound to an invitation it is looked up whether its end has begun, which the audit knows.
create index demo_access_audit_session on public.demo_access_audit (session_id) where action = 'session.revoke';
