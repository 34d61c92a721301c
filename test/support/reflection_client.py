"""A gRPC client that knows a service by reflection only, and holds what it is told against Google's own compiler.

Usage: reflection_client.py ADDRESS COMPILED SYMBOL METHOD REQUEST...
COMPILED is protoc's descriptor set of the reflection protocol and of the service, each REQUEST a message in JSON. Prints
one object of JSON: the services that are listed, the file of SYMBOL as told and as compiled, and the replies of METHOD
(server streaming) to each request in turn.
"""

import json
import sys

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

REFLECTION_SERVICE = "grpc.reflection.v1alpha.ServerReflection"
CALL_SECONDS_MAX = 60


def main(address, compiled_path, symbol, method, *requests):
    with open(compiled_path, "rb") as file:
        compiled = pool_of(descriptor_pb2.FileDescriptorSet.FromString(file.read()).file)
    with grpc.insecure_channel(address) as channel:
        ask = reflector(channel, compiled)
        services = [item.name for item in ask(list_services="").list_services_response.service]
        files = ask(file_containing_symbol=symbol).file_descriptor_response.file_descriptor_proto
        told = pool_of([descriptor_pb2.FileDescriptorProto.FromString(file) for file in files])
        call = caller(channel, told.FindServiceByName(symbol).FindMethodByName(method))
        replies = [[as_json(reply) for reply in call(request)] for request in requests]
    result = {"services": services, "told": file_of(told, symbol), "compiled": file_of(compiled, symbol)}
    print(json.dumps({**result, "replies": replies}))


def pool_of(files):
    pool = descriptor_pool.DescriptorPool()
    for file in files:
        pool.Add(file)
    return pool


def file_of(pool, symbol):
    """The file of a service: its messages, numbers, types and methods."""
    file = descriptor_pb2.FileDescriptorProto()
    pool.FindServiceByName(symbol).file.CopyToProto(file)
    for message in file.message_type:
        for field in message.field:
            # What follows from the rest: an optional field is alone in a oneof, and no field has an option.
            for derived in ["json_name", "options", "proto3_optional"]:
                field.ClearField(derived)
    return as_json(file)


def reflector(channel, pool):
    """A function that asks the service's reflection one thing."""
    method = pool.FindServiceByName(REFLECTION_SERVICE).FindMethodByName("ServerReflectionInfo")
    question, answer = message_classes(method)
    stream = channel.stream_stream(
        path_of(method), request_serializer=question.SerializeToString, response_deserializer=answer.FromString
    )

    def ask(**fields):
        reply = next(stream(iter([question(**fields)]), timeout=CALL_SECONDS_MAX))
        if reply.HasField("error_response"):
            raise SystemExit(reply.error_response.error_message)
        return reply

    return ask


def caller(channel, method):
    """A function that takes a request as JSON and gives the stream of replies."""
    question, answer = message_classes(method)
    stream = channel.unary_stream(
        path_of(method), request_serializer=question.SerializeToString, response_deserializer=answer.FromString
    )
    return lambda request: stream(json_format.Parse(request, question()), timeout=CALL_SECONDS_MAX)


def message_classes(method):
    factory = message_factory.MessageFactory()
    return factory.GetPrototype(method.input_type), factory.GetPrototype(method.output_type)


def path_of(method):
    return f"/{method.containing_service.full_name}/{method.name}"


def as_json(message):
    return json_format.MessageToDict(message, preserving_proto_field_name=True)


main(*sys.argv[1:])
